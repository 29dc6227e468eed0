// Keeps the page on this device after the first visit, so that it opens without a connection. A release is kept whole or not at
// all: files keep their names from build to build, so those of each visit go into a cache of the visit's own, which counts once it
// has all that the page asked for and all that can be opened from within it. A visit has its files from the host or, where it began
// without a connection, from what is kept; never some from here and some from there.
const CACHE = `setscope ${registration.scope}`;
// Stands in a cache that has a whole release.
const WHOLE = `${registration.scope}?whole`;

addEventListener("install", (event) => event.waitUntil(skipWaiting()));
// The first release of this worker kept its files under the plain name.
addEventListener("activate", (event) => event.waitUntil(Promise.all([clients.claim(), caches.delete(CACHE)])));

const nameOf = (client) => `${CACHE} ${client}`;
const addressOf = (request) => request.url.replace(/[?#].*/, "");
const visits = async () => (await caches.keys()).filter((name) => name.startsWith(nameOf("")));
const isWhole = async (cache) => Boolean(await cache.match(WHOLE));

/** The name of the cache with the newest whole release. */
async function kept() {
  for (const name of (await visits()).reverse()) if (await isWhole(await caches.open(name))) return name;
}

// What is still being written into caches.
let arriving = Promise.resolve();
// Whether files of a visit did not arrive: the next one has what is kept.
let isBroken = false;

const fromHost = (request) => fetch(request, { cache: "no-cache" });

function store(event, cache, response) {
  if (!response.ok) return;
  const stored = cache.put(addressOf(event.request), response.clone()).catch((error) => {
    isBroken ||= error.name !== "QuotaExceededError";
  });
  arriving = Promise.all([arriving, stored]);
  event.waitUntil(arriving);
}

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(registration.scope)) return;
  event.respondWith(request.mode === "navigate" ? open(event) : answer(event));
});

/** A page, from the host if it answers. */
async function open(event) {
  const name = await kept();
  const isAsked = !name || !isBroken;
  isBroken = false;
  if (isAsked) {
    try {
      const response = await fromHost(event.request);
      // It has to be there before the page asks for anything.
      store(event, await caches.open(nameOf(event.resultingClientId)), response);
      return response;
    } catch (error) {
      if (!name) throw error;
    }
  }
  return (await (await caches.open(name)).match(addressOf(event.request))) ?? fromHost(event.request);
}

/** A file that a page asks for, from where the page is. */
async function answer(event) {
  const own = nameOf(event.clientId);
  const isOwn = await caches.has(own);
  const name = isOwn ? own : await kept();
  const cache = name && (await caches.open(name));
  const isTaken = isOwn && !(await isWhole(cache));
  const had = cache && !isTaken && (await cache.match(addressOf(event.request)));
  if (had) return had;
  try {
    const response = await fromHost(event.request);
    if (isTaken) store(event, cache, response);
    return response;
  } catch (error) {
    isBroken ||= isTaken;
    throw error;
  }
}

// From a page that runs, once a visit: what it has asked for, as addresses, and whether it did so before this worker was there. What
// cannot be had now is had at another visit.
addEventListener("message", (event) => event.waitUntil(keep(event.source.id, event.data).catch(() => {})));

async function keep(client, { addresses, isFirst }) {
  if (!isFirst && !(await caches.has(nameOf(client)))) return;
  const cache = await caches.open(nameOf(client));
  await arriving;
  const own = addresses.filter((address) => address.startsWith(registration.scope));
  const add = async (address) => (await cache.match(address)) ?? cache.add(new Request(address, { cache: "no-cache" }));
  await Promise.all([...own, ...(await within())].map(add));
  await cache.put(WHOLE, new Response());
  await tidy();
}

/** What can be opened from within the page. */
async function within() {
  const address = (file) => new URL(file, registration.scope).href;
  const listOf = async (file) => (await fromHost(address(file))).json();
  const [{ scenarios }, { lessons }] = await Promise.all([listOf("scenarios/index.json"), listOf("lessons/index.json")]);
  const files = [...scenarios.map(({ file }) => `scenarios/${file}`), ...lessons.map(({ name }) => `lessons/${name}.yaml`)];
  return ["scenarios/index.json", "lessons/index.json", ...files, "lang/zh.txt", "truth.json", "icon.svg"].map(address);
}

/** Older releases, and visits that ended before all was there, go once no page has them. */
async function tidy() {
  const newest = await kept();
  for (const name of await visits()) {
    const isUsed = name === newest || (await clients.get(name.slice(nameOf("").length)));
    if (!isUsed) await caches.delete(name);
  }
}
