// Keeps the page on this device after the first visit, so that it opens without a connection. It keeps what the page asks
// for as it is asked for, and what can be opened from within the page.
const CACHE = `setscope ${registration.scope}`;

addEventListener("install", (event) => event.waitUntil(skipWaiting()));
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

// What the page had asked for before this worker was there, as addresses. What has another hash is of an older build.
addEventListener("message", (event) => event.waitUntil(keep(event.data)));

async function keep(addresses) {
  const cache = await caches.open(CACHE);
  const own = addresses.filter((address) => address.startsWith(registration.scope));
  const isOld = ({ url }) => hasHash(url) && !own.includes(url);
  for (const request of (await cache.keys()).filter(isOld)) await cache.delete(request);
  const missing = await Promise.all(own.map(async (address) => ((await cache.match(address)) ? [] : [address])));
  await Promise.all([...missing.flat(), ...(await scenarios())].map((address) => cache.add(address).catch(() => {})));
}

async function scenarios() {
  const list = new URL("scenarios/index.json", registration.scope).href;
  const index = await (await fetch(list)).json();
  return [list, ...index.scenarios.map(({ file }) => new URL(file, list).href), new URL("lang/zh.txt", registration.scope).href];
}

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && request.url.startsWith(registration.scope)) event.respondWith(answer(request, event));
});

// A name with a hash never means anything else; of what has none, the newest counts as long as there is a connection.
const hasHash = (address) => /-[0-9a-f]{8,}(_bg)?\.\w+$/.test(new URL(address).pathname);

async function answer(request, event) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request, { ignoreSearch: true });
  if (kept && hasHash(request.url)) return kept;
  try {
    const response = await fetch(request);
    if (response.ok) event.waitUntil(cache.put(request.url.replace(/[?#].*/, ""), response.clone()));
    return response;
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}
