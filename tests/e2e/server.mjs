// Serves dist/ the way a plain static host does, but from a folder within the site: whatever is not there is a 404,
// so an address that is not relative to the page is found out.
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";

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

async function fileFor(path) {
  if (!path.startsWith(FOLDER)) return undefined;
  const file = join(DIST, normalize("/" + (path.slice(FOLDER.length) || "index.html")));
  const found = await stat(file).catch(() => undefined);
  return found?.isFile() ? { file, size: found.size } : undefined;
}

const packed = new Map();

/** The file as hosts send it to browsers that take brotli. */
async function pack(file) {
  if (!packed.has(file)) packed.set(file, brotliCompressSync(await readFile(file), { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
  return packed.get(file);
}

/** Starts the server; `url` is the page's address, `close()` ends it; `isCompressed` sends brotli; `stop()` and `start()` take it away for a while. */
export async function serveDist({ isCompressed = false } = {}) {
  const server = createServer(async (request, response) => {
    const found = await fileFor(decodeURIComponent(new URL(request.url, "http://host").pathname));
    if (!found) {
      response.writeHead(404, { "content-type": "text/plain" }).end("not found");
      return;
    }
    const type = TYPES[extname(found.file)] ?? "application/octet-stream";
    if (isCompressed) {
      const bytes = await pack(found.file);
      response.writeHead(200, { "content-type": type, "content-encoding": "br", "content-length": bytes.length, "cache-control": "no-store" }).end(bytes);
      return;
    }
    response.writeHead(200, { "content-type": type, "content-length": found.size, "cache-control": "no-store" });
    createReadStream(found.file).pipe(response);
  });
  const listen = (port) => new Promise((ready) => server.listen(port, "127.0.0.1", ready));
  await listen(0);
  const { port } = server.address();
  const close = () => new Promise((closed) => (server.close(closed), server.closeAllConnections()));
  return { url: `http://127.0.0.1:${port}${FOLDER}`, close, stop: close, start: () => listen(port) };
}
