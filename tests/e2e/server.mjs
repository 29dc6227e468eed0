// Serves dist/ the way a plain static host does, but from a folder within the site: whatever is not there is a 404,
// so an address that is not relative to the page is found out.
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const DIST = fileURLToPath(new URL("../../dist/", import.meta.url));
const FOLDER = "/some/where/";
const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".yaml": "text/plain; charset=utf-8",
};

async function fileFor(path, root, folder) {
  if (!path.startsWith(folder)) return undefined;
  const named = path.slice(folder.length);
  const file = join(root, normalize("/" + named + (named === "" || named.endsWith("/") ? "index.html" : "")));
  const found = await stat(file).catch(() => undefined);
  return found?.isFile() ? { file, size: found.size } : undefined;
}

const packed = new Map();
const zipped = new Map();

/** The file as hosts send it to browsers that take brotli. */
async function pack(file) {
  if (!packed.has(file)) packed.set(file, brotliCompressSync(await readFile(file), { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
  return packed.get(file);
}

/**
 * Starts the server; `url` is the page's address, `close()` ends it; `stop()` and `start()` take it away for a while. `isCompressed` sends
 * brotli. `root` is another folder than dist/, and `folder` where it stands in the site. `isKept` lets browsers keep files and ask whether
 * they are the newest, as hosting.html says; `answers` has each answer's path and status; `headers(path)` are further ones.
 */
export async function serveDist({ isCompressed = false, isKept = false, root = DIST, folder = FOLDER, headers = () => ({}) } = {}) {
  const answers = [];
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://host").pathname);
    const found = await fileFor(path, root, folder);
    response.on("finish", () => answers.push({ path, status: response.statusCode }));
    if (!found) {
      response.writeHead(404, { "content-type": "text/plain" }).end("not found");
      return;
    }
    for (const [name, value] of Object.entries(headers(path))) response.setHeader(name, value);
    const type = TYPES[extname(found.file)] ?? "application/octet-stream";
    if (isCompressed) {
      const bytes = await pack(found.file);
      response.writeHead(200, { "content-type": type, "content-encoding": "br", "content-length": bytes.length, "cache-control": "no-store" }).end(bytes);
      return;
    }
    if (isKept) {
      const etag = `"${found.size}"`;
      response.setHeader("etag", etag);
      if (request.headers["if-none-match"] === etag) {
        response.writeHead(304, { "cache-control": "no-cache" }).end();
        return;
      }
    }
    if (isKept && type === "application/wasm") {
      // As it is, it may be larger than what a browser's cache in memory takes.
      if (!zipped.has(found.file)) zipped.set(found.file, gzipSync(await readFile(found.file)));
      const bytes = zipped.get(found.file);
      response.writeHead(200, { "content-type": type, "content-encoding": "gzip", "content-length": bytes.length, "cache-control": "no-cache" }).end(bytes);
      return;
    }
    response.writeHead(200, { "content-type": type, "content-length": found.size, "cache-control": isKept ? "no-cache" : "no-store" });
    createReadStream(found.file).pipe(response);
  });
  const listen = (port) => new Promise((ready) => server.listen(port, "127.0.0.1", ready));
  await listen(0);
  const { port } = server.address();
  const close = () => new Promise((closed) => (server.close(closed), server.closeAllConnections()));
  return { url: `http://127.0.0.1:${port}${folder}`, answers, close, stop: close, start: () => listen(port) };
}
