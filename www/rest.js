
// The part of the program that the first look does not need (split.mjs). It is a module of its own, which takes the first
// one's memory and table. This text stands at the end of the file that wasm-bindgen writes, and `wasm` is of there.

const restAddress = new URL("setscope-rest.wasm", import.meta.url);
let restFetch;
let restBytes;
let restModule;
let restInstance;

/** Fetches and compiles the rest, once, so that nothing has to wait for it later. */
export function fetchRest() {
    restFetch ??= readInTime().catch((error) => {
        restFetch = undefined;
        throw error;
    });
    return restFetch;
}

async function readInTime() {
    const response = await fetch(restAddress, { credentials: "same-origin" });
    if (!response.ok) throw new Error(`${restAddress}: ${response.status}`);
    restBytes = await response.arrayBuffer();
    restModule ??= await WebAssembly.compile(restBytes);
}

// A call cannot wait for a promise: what is not here yet when it is called is read while everything waits.
function readRest() {
    const request = new XMLHttpRequest();
    request.open("GET", restAddress, false);
    request.overrideMimeType("text/plain; charset=x-user-defined");
    try {
        request.send();
    } catch {
        // The status says it.
    }
    if (request.status !== 200) throw Object.assign(new Error(`${restAddress}: ${request.status}`), { name: "RestMissing" });
    return Uint8Array.from(request.responseText, (letter) => letter.charCodeAt(0));
}

// Until the rest is there, each of its functions is called through a place in the table that holds one of these.
const restFunctions = new Proxy({}, {
    get: (_, place) => (...args) => {
        restModule ??= new WebAssembly.Module(restBytes ?? readRest());
        restInstance ??= new WebAssembly.Instance(restModule, { first: wasm });
        return wasm["%table"].get(Number(place))(...args);
    },
});
