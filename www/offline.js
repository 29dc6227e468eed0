// Keeps the page on this device after the first visit, so that it opens without a connection. `./dev build` puts the list
// of the files in; a page built otherwise does not register this.
const FILES = [];
const VERSION = "unbuilt";
const OWN = `setscope ${registration.scope} `;

addEventListener("install", (event) => {
  event.waitUntil(caches.open(OWN + VERSION).then((cache) => cache.addAll(FILES)).then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  const isOld = (name) => name.startsWith(OWN) && name !== OWN + VERSION;
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter(isOld).map((name) => caches.delete(name)))));
});

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && request.url.startsWith(registration.scope)) event.respondWith(answer(request));
});

// A name with a hash never means anything else; of what has none, the newest counts as long as there is a connection.
async function answer(request) {
  const kept = await (await caches.open(OWN + VERSION)).match(request, { ignoreSearch: true });
  if (kept && /-[0-9a-f]{8,}(_bg)?\.\w+$/.test(new URL(request.url).pathname)) return kept;
  try {
    return await fetch(request);
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}
