// Keeps the page on this device after the first visit, so that it opens without a connection: what the page asks for is
// kept as it is asked for, with what can be opened from within the page. As long as there is a connection the host is asked
// whether it has something newer, so the page and its program are always of one build.
const CACHE = `setscope ${registration.scope}`;

addEventListener("install", (event) => event.waitUntil(skipWaiting()));
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

// What the page asked for before this worker was there, as addresses; once a visit with what can be opened from within it.
addEventListener("message", (event) => event.waitUntil(keep(event.data)));

async function keep({ addresses, further }) {
  const cache = await caches.open(CACHE);
  const own = addresses.filter((address) => address.startsWith(registration.scope));
  // One that cannot be had now is kept when it is asked for.
  await Promise.all([...own, ...(further ? await within() : [])].map((address) => cache.add(address).catch(() => {})));
}

async function within() {
  const address = (file) => new URL(file, registration.scope).href;
  const listOf = async (file) => (await fetch(address(file))).json();
  const [{ scenarios }, { lessons }] = await Promise.all([listOf("scenarios/index.json"), listOf("lessons/index.json")]);
  const files = [...scenarios.map(({ file }) => `scenarios/${file}`), ...lessons.map(({ name }) => `lessons/${name}.yaml`)];
  return ["scenarios/index.json", "lessons/index.json", ...files, "lang/zh.txt", "truth.json"].map(address);
}

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && request.url.startsWith(registration.scope)) event.respondWith(answer(event));
});

async function answer(event) {
  const cache = await caches.open(CACHE);
  const address = event.request.url.replace(/[?#].*/, "");
  try {
    const response = await fetch(event.request, { cache: "no-cache" });
    if (response.ok) event.waitUntil(cache.put(address, response.clone()));
    return response;
  } catch (error) {
    const kept = await cache.match(address);
    if (kept) return kept;
    throw error;
  }
}
