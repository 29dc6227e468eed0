// Short names between the program and the script of wasm-bindgen: each of a hundred imports is named for people and carries
// a hash, in both files, and a hash does not pack.

/** A copy of the module whose imports from the script are named 0, 1, 2…, and the old names in that order. */
export function withShortImports(module) {
  const names = [];
  const parts = [module.subarray(0, 8)];
  for (let at = 8; at < module.length; ) {
    const size = number(module, at + 1);
    const end = size.next + size.value;
    parts.push(module[at] === IMPORTS ? imports(module.subarray(size.next, end), names) : module.subarray(at, end));
    at = end;
  }
  return { module: Buffer.concat(parts), names };
}

const IMPORTS = 2;

function imports(section, names) {
  const count = number(section, 0);
  const parts = [leb(count.value)];
  for (let at = count.next, index = 0; index < count.value; index++) {
    const from = text(section, at);
    const name = text(section, from.next);
    const end = afterType(section, name.next);
    const isScripts = from.value.startsWith("./");
    parts.push(section.subarray(at, from.next), isScripts ? short(names.push(name.value) - 1) : section.subarray(from.next, name.next), section.subarray(name.next, end));
    at = end;
  }
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.of(IMPORTS), leb(content.length), content]);
}

/** Where the import's type ends: a function has an index, a table a type and limits, a memory limits, a global two bytes. */
function afterType(bytes, at) {
  const limits = (from) => {
    const least = number(bytes, from + 1);
    return bytes[from] & 1 ? number(bytes, least.next).next : least.next;
  };
  return [() => number(bytes, at + 1).next, () => limits(at + 2), () => limits(at + 1), () => at + 3][bytes[at]]();
}

function short(index) {
  const name = Buffer.from(index.toString(36));
  return Buffer.concat([leb(name.length), name]);
}

function text(bytes, at) {
  const size = number(bytes, at);
  const next = size.next + size.value;
  return { value: bytes.subarray(size.next, next).toString(), next };
}

// WebAssembly writes numbers seven bits a byte, the lowest first (LEB128).
function number(bytes, at) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    value += (byte & 127) * 2 ** shift;
    if (byte < 128) return { value, next: at };
  }
}

function leb(value) {
  const bytes = [];
  do bytes.push((value & 127) | (value > 127 ? 128 : 0));
  while ((value >>>= 7));
  return Buffer.from(bytes);
}

/** The script with the same names. */
export function withShortNames(script, names) {
  return names.reduce((text, name, index) => {
    const parts = text.split(`${name}: function`);
    if (parts.length !== 2) throw new Error(`${name} is expected once in the script`);
    return parts.join(`"${index.toString(36)}": function`);
  }, script);
}
