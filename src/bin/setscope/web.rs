//! `kubectl setscope --web`: the built page, served on this machine alone, with this state opened.
//!
//! The address holds a token that nobody can guess, and the state is handed out once.
#![allow(clippy::disallowed_types, reason = "whoever is served is waited for by the real clock")]

use crate::command::Output;
use crate::printed::{self, Printed};
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The built page, where the program was built with it: `cargo build --release --features page --bin setscope`.
#[cfg(feature = "page")]
static PAGE: include_dir::Dir<'_> = include_dir::include_dir!("$CARGO_MANIFEST_DIR/dist");

/// Longer requests are refused.
const LONGEST_LINE: u64 = 16 << 10;

/// Connections at once; who comes then waits.
const CONNECTIONS: usize = 64;
/// A connection on which so little comes that the request takes longer is closed.
const PATIENCE: Duration = Duration::from_secs(5);
/// Between two tries where no file handle is left.
const PAUSE: Duration = Duration::from_millis(100);
/// An answer that takes longer to fetch is not fetched by a browser of this machine.
const LONGEST_ANSWER: Duration = Duration::from_secs(60);
/// With every answer: nothing is kept, guessed, shown in a frame or read by another site.
const HEADERS: &str = "cache-control: no-store\r\nreferrer-policy: no-referrer\r\nx-content-type-options: nosniff\r\n\
    cross-origin-resource-policy: same-origin\r\ncontent-security-policy: frame-ancestors 'none'\r\nconnection: close\r\n";
/// The service worker, which would keep the page under an address that ends with the command.
const WORKER: &str = "offline.js";
/// What a second request for the state is told.
const GIVEN: &str = "This state was handed out already: run the command again, which prints a new address.\n";

/// Where the page's files are.
enum Page {
    Folder(PathBuf),
    #[cfg(feature = "page")]
    Held,
}

impl Page {
    fn find(folder: Option<&Path>) -> Result<Self, String> {
        if let Some(folder) = folder {
            let is_there = folder.join("index.html").is_file();
            return if is_there {
                Ok(Self::Folder(folder.to_owned()))
            } else {
                Err(format!("{}: there is no index.html", folder.display()))
            };
        }
        #[cfg(feature = "page")]
        return Ok(Self::Held);
        #[cfg(not(feature = "page"))]
        Err("this program was built without the page: --page names the folder of a built one".to_owned())
    }

    fn file(&self, path: &str) -> Option<Vec<u8>> {
        let path = Path::new(if path.is_empty() { "index.html" } else { path });
        if !path.components().all(|part| matches!(part, Component::Normal(_))) {
            return None;
        }
        match self {
            Self::Folder(folder) => read(&folder.join(path)).ok(),
            #[cfg(feature = "page")]
            Self::Held => PAGE.get_file(path).map(|file| file.contents().to_vec()),
        }
    }
}

/// Whether there was no file handle left, of the process or of the machine (EMFILE, ENFILE of POSIX).
fn is_for_want_of_handles(error: &std::io::Error) -> bool {
    cfg!(unix) && matches!(error.raw_os_error(), Some(23 | 24))
}

/// A file's bytes. Where no file handle is left another connection has to end first.
fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    let until = Instant::now() + PATIENCE;
    loop {
        match std::fs::read(path) {
            Err(error) if is_for_want_of_handles(&error) && Instant::now() < until => std::thread::sleep(PAUSE),
            read => return read,
        }
    }
}

/// 128 bits that the operating system drew: each hasher of the standard library is keyed with them.
fn token() -> String {
    let draw = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", draw(), draw())
}

fn kind_of(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "css" => "text/css; charset=utf-8",
        "html" | "" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        "wasm" => "application/wasm",
        _ => "text/plain; charset=utf-8",
    }
}

/// A connection up to a moment, however little comes or goes at a time.
struct Within<'s> {
    stream: &'s TcpStream,
    until: Instant,
}

impl<'s> Within<'s> {
    fn of(stream: &'s TcpStream, time: Duration) -> Self {
        Self { stream, until: Instant::now() + time }
    }

    /// What is left of the time.
    fn left(&self) -> std::io::Result<Option<Duration>> {
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(ErrorKind::TimedOut.into()) } else { Ok(Some(left)) }
    }
}

impl Read for Within<'_> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        self.stream.set_read_timeout(self.left()?)?;
        self.stream.read(into)
    }
}

impl Write for Within<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.stream.set_write_timeout(self.left()?)?;
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.stream.flush()
    }
}

/// What is served.
struct Served<'a> {
    page: Page,
    /// Its address on this machine, such as `127.0.0.1:4321`.
    host: String,
    token: String,
    /// The state, until somebody has asked for it.
    state: Mutex<Option<&'a str>>,
}

impl Served<'_> {
    /// The answer to a request for this path: its kind and its bytes; none where there is nothing.
    fn answer(&self, method: &str, path: &str, host: &str) -> Option<(&'static str, Vec<u8>)> {
        // Another site's page could ask under a name of its own that leads here.
        if method != "GET" || host != self.host {
            return None;
        }
        let path = path.split('?').next()?.strip_prefix(&format!("/{}/", self.token))?;
        if path == "cluster.yaml" {
            return Some((kind_of(path), self.state.lock().ok()?.take()?.as_bytes().to_vec()));
        }
        if path == WORKER {
            return None;
        }
        let kind = if path.is_empty() { kind_of("index.html") } else { kind_of(path) };
        Some((kind, self.page.file(path)?))
    }

    /// Whether a path asks for the state.
    fn is_state(&self, path: &str) -> bool {
        path.split('?').next() == Some(&format!("/{}/cluster.yaml", self.token))
    }

    fn serve(&self, stream: &TcpStream) -> std::io::Result<()> {
        let mut reader = BufReader::new(Within::of(stream, PATIENCE).take(LONGEST_LINE));
        let (mut first, mut host) = (String::new(), String::new());
        reader.read_line(&mut first)?;
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
                break;
            }
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("host")
            {
                // Two of them are one too many: nobody knows which counts.
                host = if host.is_empty() { value.trim().to_owned() } else { ",".to_owned() };
            }
        }
        let mut words = first.split_whitespace();
        let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let mut out = Within::of(stream, LONGEST_ANSWER);
        match self.answer(method, path, &host) {
            Some((kind, bytes)) => {
                write!(out, "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n", bytes.len())?;
                write!(out, "{HEADERS}\r\n")?;
                out.write_all(&bytes)
            }
            None => {
                let said = if self.is_state(path) { GIVEN } else { "" };
                write!(out, "HTTP/1.1 404 Not Found\r\ncontent-type: text/plain; charset=utf-8\r\n")?;
                write!(out, "content-length: {}\r\n{HEADERS}\r\n{said}", said.len())
            }
        }
    }
}

pub(crate) fn run(state: &str, folder: Option<&Path>) -> Output {
    let page = Page::find(folder)?;
    let listener = TcpListener::bind(("127.0.0.1", 0)).map_err(|error| format!("no port: {error}"))?;
    let host = listener.local_addr().map_err(|error| format!("no port: {error}"))?.to_string();
    let served = Served { page, host, token: token(), state: Mutex::new(Some(state)) };
    Printed::from(format!("http://{}/{}/?cluster\n", served.host, served.token)).write()?;
    printed::tell("The address opens this state once; Ctrl-C ends it.\n")?;
    serve_all(&listener, &served);
    Ok((Printed::default(), 0))
}

/// Browsers open connections ahead, on which they ask for nothing: nobody else waits for these. One thread alone accepts, since each
/// that waits for a connection holds a file handle.
fn serve_all(listener: &TcpListener, served: &Served<'_>) {
    let (give, take) = std::sync::mpsc::sync_channel::<TcpStream>(0);
    let take = Mutex::new(take);
    let next = || take.lock().ok()?.recv().ok();
    std::thread::scope(|scope| {
        for _ in 0..CONNECTIONS {
            // Who goes away in the middle of an answer is not waited for.
            scope.spawn(|| std::iter::from_fn(next).for_each(|stream| drop(served.serve(&stream))));
        }
        loop {
            match listener.accept() {
                Ok((stream, _)) => drop(give.send(stream)),
                Err(_) => std::thread::sleep(PAUSE),
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::{Mutex, PATIENCE, Page, Read, Served, TcpListener, TcpStream, Within, Write};
    use std::time::{Duration, Instant};

    #[test]
    fn a_client_that_drips_is_not_waited_for() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let mut client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (server, _) = listener.accept().unwrap();
        let dripping = std::thread::spawn(move || {
            while client.write_all(b"a").is_ok() {
                std::thread::sleep(Duration::from_millis(20));
            }
        });
        let (began, mut all) = (Instant::now(), String::new());
        assert!(Within::of(&server, Duration::from_millis(200)).read_to_string(&mut all).is_err());
        assert!(began.elapsed() < PATIENCE);
        drop(server);
        dripping.join().unwrap();
    }

    #[test]
    fn a_client_that_does_not_take_its_answer_is_not_waited_for() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (server, _) = listener.accept().unwrap();
        let began = Instant::now();
        assert!(Within::of(&server, Duration::from_millis(200)).write_all(&vec![b'a'; 64 << 20]).is_err());
        assert!(began.elapsed() < PATIENCE);
        drop(client);
    }

    #[test]
    fn only_who_has_the_token_is_answered_and_the_state_is_handed_out_once() {
        let page = Page::Folder(env!("CARGO_MANIFEST_DIR").into());
        let state = Mutex::new(Some("apiVersion: v1"));
        let served = Served { page, host: "127.0.0.1:1".into(), token: "t".into(), state };
        let host = "127.0.0.1:1";
        assert!(served.answer("GET", "/t/index.html", host).is_some());
        for (method, path, host) in [
            ("GET", "/index.html", host),
            ("GET", "/other/index.html", host),
            ("GET", "/t/../Cargo.toml", host),
            ("GET", "/t//etc/passwd", host),
            ("POST", "/t/index.html", host),
            ("GET", "/t/index.html", "example.com"),
        ] {
            assert!(served.answer(method, path, host).is_none(), "{method} {path} of {host}");
        }
        assert_eq!(served.answer("GET", "/t/cluster.yaml", host).unwrap_or_default().1, b"apiVersion: v1");
        assert!(served.answer("GET", "/t/cluster.yaml", host).is_none());
    }
}
