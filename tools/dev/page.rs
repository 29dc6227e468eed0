//! The page: built, weighed, served.

use std::os::unix::process::{CommandExt, parent_id};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use crate::need;
use crate::shell::{Done, answers, command, files, has, run, say};

/// Brotli bytes of the first picture: the HTML and its style sheets.
const FIRST_LIMIT: usize = 40_000;
/// Brotli bytes of everything up to the interactive page.
const PAGE_LIMIT: usize = 1_760_000;

pub(crate) fn build() -> Done {
    need::builder()?;
    // A failed build must not leave an older page to be tested or published.
    remove_dist();
    run(&mut command("trunk build --release"))
}

fn remove_dist() {
    let _ = std::fs::remove_dir_all("dist");
}

pub(crate) fn is_built() -> bool {
    Path::new("dist/index.html").is_file()
}

pub(crate) fn build_and_weigh() -> Done {
    build()?;
    weigh()?;
    say("\ndist/ holds the page: it works from any folder of any static host.");
    Ok(())
}

/// What every archive of a release holds beside the command: dist/ within the command, the others as files. dist-workspace.toml names
/// them.
pub(crate) fn parts() -> Done {
    build()?;
    let _ = std::fs::remove_dir_all("target/parts");
    run(&mut command("cargo run --quiet --locked --bin setscope -- parts target/parts"))?;
    for file in files(Path::new("target/parts")) {
        say(&format!("target/parts/{file}"));
    }
    Ok(())
}

// ---- its weight

/// When a file of dist/ is fetched.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fetched {
    /// For the first picture.
    First,
    /// Before the page can be used.
    Page,
    /// When somebody asks for it.
    OnDemand,
}

impl Fetched {
    /// A file that is not known here counts.
    fn of(file: &str) -> Self {
        const FOLDERS: [&str; 4] = ["schemas/", "scenarios/", "lessons/", "lang/"];
        const BEGINNINGS: [&str; 3] = ["embed.", "example.", "hosting."];
        const FILES: [&str; 12] = [
            "pages.css",
            "setscope.js",
            "setscope.d.ts",
            "set-scope.js",
            "node.js",
            "package.json",
            "custom-elements.json",
            "offline.js",
            "truth.json",
            "LICENSE",
            "NOTICE",
            "THIRD-PARTY.txt",
        ];
        if FILES.contains(&file) || FOLDERS.iter().chain(&BEGINNINGS).any(|beginning| file.starts_with(beginning)) {
            Self::OnDemand
        } else if file == "index.html" || file == "theme.js" || file.ends_with(".css") {
            Self::First
        } else {
            Self::Page
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Page => "page",
            Self::OnDemand => "",
        }
    }
}

/// The size in bytes of a file as brotli of quality 11.
fn brotli_size(file: &Path) -> Result<usize, String> {
    const NODE: &str = "const zlib = require('zlib'); process.stdout.write(zlib.brotliCompressSync(
        require('fs').readFileSync(process.argv[1]), { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 11 } }))";
    let mut packer = if has("brotli") {
        command("brotli -q 11 -c")
    } else if has("node") {
        let mut node = command("node -e");
        node.arg(NODE);
        node
    } else {
        return Err("the weight is not known: it takes Node.js or the brotli command".to_owned());
    };
    match packer.arg(file).output() {
        Ok(packed) if packed.status.success() => Ok(packed.stdout.len()),
        _ => Err(format!("{} cannot be packed", file.display())),
    }
}

pub(crate) fn weigh() -> Done {
    if !is_built() {
        return Err("there is no dist/ to weigh".to_owned());
    }
    say(&format!("\n{:<56} {:>10} {:>10}", "file", "bytes", "brotli"));
    let (mut first, mut page, mut on_demand) = (0, 0, 0);
    for name in files(Path::new("dist")) {
        let file = Path::new("dist").join(&name);
        let raw = file.metadata().map(|about| about.len()).unwrap_or_default();
        let packed = brotli_size(&file)?;
        let fetched = Fetched::of(&name);
        say(&format!("{name:<56} {raw:>10} {packed:>10}  {}", fetched.name()));
        match fetched {
            Fetched::First => first += packed,
            Fetched::Page => page += packed,
            Fetched::OnDemand => on_demand += packed,
        }
    }
    page += first;
    for (what, bytes) in [
        ("on demand".to_owned(), on_demand),
        (format!("first picture (limit {FIRST_LIMIT})"), first),
        (format!("up to the interactive page (limit {PAGE_LIMIT})"), page),
    ] {
        say(&format!("{what:<67} {bytes:>10}"));
    }
    within("the first picture", first, FIRST_LIMIT)?;
    within("the page", page, PAGE_LIMIT)
}

fn within(what: &str, bytes: usize, limit: usize) -> Done {
    if bytes <= limit { Ok(()) } else { Err(format!("{what} is {} bytes over its limit", bytes - limit)) }
}

// ---- served while one works on it

/// `./dev serve`.
#[derive(Debug, PartialEq)]
pub(crate) struct Serve {
    port: u16,
    quick: bool,
}

impl Serve {
    pub(crate) fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut serve = Self { port: 8080, quick: false };
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--port" => {
                    let port = words.next().and_then(|port| port.parse().ok());
                    serve.port = port.ok_or("--port takes a number, as in ./dev serve --port 8081")?;
                }
                "--debug" => serve.quick = true,
                _ => return Err("./dev serve takes --port <number> and --debug".to_owned()),
            }
        }
        Ok(serve)
    }

    /// Becomes trunk, so that who stops this stops that. Another process says when the page is there.
    pub(crate) fn run(&self) -> Done {
        let port = self.port.to_string();
        if answers(self.port) {
            return Err(format!(
                "something is already served on 127.0.0.1:{port}; ./dev serve --port <number> takes another"
            ));
        }
        need::builder()?;
        say("==> Building the page; the first time takes some minutes.");
        // trunk serves even what it could not build, so an older page must not be there.
        remove_dist();
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let trunk = std::process::id().to_string();
        let mut announcer = std::process::Command::new(program);
        announcer.args(["announce", &port, &trunk]).stdin(Stdio::null());
        announcer.spawn().map_err(|error| error.to_string())?;
        let profile = if self.quick { "--release=false" } else { "--release" };
        let error = command("trunk serve").args([profile, "--port", &port]).exec();
        Err(format!("trunk does not start: {error}"))
    }
}

/// Waits until trunk, the process that started this one, serves the page, and says so; stops it where it serves nothing.
/// Its arguments are the port and trunk's process.
pub(crate) fn announce(arguments: &[String]) -> Done {
    let [port, trunk] = arguments else { return Err("announce takes a port and a process".to_owned()) };
    let port: u16 = port.parse().map_err(|_| "announce takes a port".to_owned())?;
    let runs = || parent_id().to_string() == *trunk;
    while runs() && !answers(port) {
        std::thread::sleep(Duration::from_millis(300));
    }
    if runs() && is_built() {
        say(&format!("\nSetScope is ready: http://127.0.0.1:{port}/ (Ctrl-C stops it)"));
        return Ok(());
    }
    if runs() {
        run(command("kill").arg(trunk))?;
    }
    Err("the page could not be built or served: the lines above say why".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_counts() {
        for (file, fetched) in [
            ("index.html", Fetched::First),
            ("cards.css", Fetched::First),
            ("theme.js", Fetched::First),
            ("setscope-page_bg.wasm", Fetched::Page),
            ("something-new.json", Fetched::Page),
            ("pages.css", Fetched::OnDemand),
            ("hosting.html", Fetched::OnDemand),
            ("lang/zh.txt", Fetched::OnDemand),
        ] {
            assert_eq!(Fetched::of(file), fetched, "{file}");
        }
    }

    #[test]
    fn a_limit_may_be_reached_and_not_passed() {
        assert_eq!(within("the page", 10, 10), Ok(()));
        assert_eq!(within("the page", 13, 10), Err("the page is 3 bytes over its limit".to_owned()));
    }

    #[test]
    fn serve_takes_a_port_and_a_quick_build() {
        let parse = |line: &str| Serve::parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(parse(""), Ok(Serve { port: 8080, quick: false }));
        assert_eq!(parse("--debug --port 81"), Ok(Serve { port: 81, quick: true }));
        assert!(parse("--port").is_err_and(|why| why.contains("--port 8081")));
        assert!(parse("--port 8o8o").is_err());
        assert!(parse("--release").is_err());
    }
}
