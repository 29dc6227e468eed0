// The fonts that the browser of the tests has, whatever fonts the machine has: the same answer everywhere. They come from npm
// packages into node_modules. SETSCOPE_FONTS names the set; "machine" leaves the machine's own. A browser on macOS does not ask
// fontconfig and has its own fonts always.
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const PACKAGES = fileURLToPath(new URL("node_modules/", import.meta.url));
const FOLDER = fileURLToPath(new URL("../../target/fonts/", import.meta.url));

// Packages, which of their files are taken, and the families that stand for "sans-serif" and "monospace".
const SETS = {
  // The font that the page asks for first, and what many systems have beside it.
  inter: { from: ["@expo-google-fonts/inter", "@expo-google-fonts/noto-sans", "@expo-google-fonts/noto-sans-mono"], files: ["*.ttf"], sans: "Noto Sans", mono: "Noto Sans Mono" },
  // What Debian's Chromium brings along where nothing else is installed: wide.
  dejavu: { from: ["dejavu-fonts-ttf"], files: ["DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSansMono.ttf", "DejaVuSansMono-Bold.ttf"], sans: "DejaVu Sans", mono: "DejaVu Sans Mono" },
  // Arimo and Cousine: what Liberation Sans and Liberation Mono are made of, with the same widths. Narrow, as Arial is.
  liberation: { from: ["@expo-google-fonts/arimo", "@expo-google-fonts/cousine"], files: ["*_400Regular*.ttf", "*_700Bold*.ttf"], sans: "Arimo", mono: "Cousine" },
};

const configuration = ({ from, files, sans, mono }) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
${from.map((name) => `  <dir>${PACKAGES}${name}</dir>`).join("\n")}
  <cachedir>${FOLDER}cache</cachedir>
  <selectfont>
    <rejectfont><glob>*.ttf</glob></rejectfont>
    <acceptfont>${files.map((file) => `<glob>*/${file}</glob>`).join("")}</acceptfont>
  </selectfont>
  <!-- A name that no font has, as system-ui, is the text font's. -->
  <match target="pattern">
    <test name="family" compare="not_eq" qual="all"><string>monospace</string></test>
    <edit name="family" mode="append_last"><string>sans-serif</string></edit>
  </match>
  <match target="pattern">
    <test name="family"><string>sans-serif</string></test>
    <edit name="family" mode="prepend" binding="weak"><string>${sans}</string></edit>
  </match>
  <match target="pattern">
    <test name="family"><string>monospace</string></test>
    <edit name="family" mode="prepend" binding="weak"><string>${mono}</string></edit>
  </match>
  <match target="pattern">
    <edit name="antialias" mode="assign"><bool>true</bool></edit>
    <edit name="hinting" mode="assign"><bool>true</bool></edit>
    <edit name="hintstyle" mode="assign"><const>hintslight</const></edit>
    <edit name="rgba" mode="assign"><const>none</const></edit>
  </match>
</fontconfig>
`;

/** What the browser's environment has to say, so that it has the fonts of that set and no others. */
export function fontsOf(name = process.env.SETSCOPE_FONTS || "inter") {
  if (name === "machine") return {};
  const set = SETS[name];
  if (!set) throw new Error(`SETSCOPE_FONTS is ${name}; there are ${Object.keys(SETS).join(", ")} and machine`);
  mkdirSync(FOLDER, { recursive: true });
  const file = `${FOLDER}${name}.conf`;
  // Files of tests run beside each other: none may read half of it.
  const part = `${file}.${process.pid}`;
  writeFileSync(part, configuration(set));
  renameSync(part, file);
  return { FONTCONFIG_FILE: file };
}
