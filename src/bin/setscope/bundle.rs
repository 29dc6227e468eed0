//! A folder, or an archive of one, as `kubectl cluster-info dump` and support bundles write it: what of it is read.

use crate::input::decoded;
use crate::printed::tell;
use flate2::read::MultiGzDecoder;
use setscope::bounds;
use setscope::session::dump;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Files that are looked at.
const MOST_FILES: usize = bounds::FILES.most() as usize;
/// Bytes of an archive, unpacked.
const MOST_UNPACKED: u64 = bounds::UNPACKED.most();
/// Folders within folders.
const DEEPEST: usize = bounds::FOLDERS.most() as usize;

/// What is picked of a folder, one text behind the other.
#[derive(Default)]
struct Picked {
    text: String,
    files: usize,
    seen: usize,
    skipped: usize,
    links: usize,
    too_long: Vec<String>,
}

/// Parts of paths of what is of no use to a run, or is nobody's business.
const PASSED_OVER: [&str; 7] = ["secret", "configmap", "customresourcedefinition", "crds", "rbac", "roles", "leases"];

/// Whether a file may have what is read, by its name: a log only if it is the controller manager's.
fn may_be_read(path: &str) -> bool {
    let path = path.to_lowercase();
    let name = path.rsplit('/').next().unwrap_or_default();
    let is_log = name.ends_with(".log") || name == "logs.txt" || path.contains("/logs/");
    let is_text =
        ["yaml", "yml", "json", "txt", "log", "out", "describe"].iter().any(|end| name.ends_with(&format!(".{end}")));
    (is_text || !name.contains('.'))
        && (!is_log || path.contains("controller-manager"))
        && !name.starts_with("._")
        && !PASSED_OVER.iter().any(|word| path.contains(word))
}

impl Picked {
    /// Takes a file if it has what is read. Errors of one file hold up none of the others.
    fn take(&mut self, path: &str, size: u64, stream: &mut dyn Read) -> Result<(), String> {
        if self.seen == MOST_FILES {
            return Err(format!("{path}: more than {MOST_FILES} files; name a folder that has fewer"));
        }
        self.seen += 1;
        if !may_be_read(path) {
            self.skipped += 1;
            return Ok(());
        }
        let left = dump::MAX_TEXT_BYTES.saturating_sub(self.text.len() + 5);
        if size > left as u64 {
            self.too_long.push(path.to_owned());
            return Ok(());
        }
        let mut bytes = Vec::new();
        if stream.take(left as u64).read_to_end(&mut bytes).is_err() {
            self.skipped += 1;
            return Ok(());
        }
        let text = decoded(bytes);
        if text.len() > left || !dump::has_objects(&text) {
            self.skipped += 1;
            return Ok(());
        }
        self.files += 1;
        self.text.push_str(text.trim_start_matches('\u{feff}'));
        self.text.push_str("\n---\n");
        Ok(())
    }

    /// The text, if there is any; what was skipped is told.
    fn text(self, of: &Path) -> Result<String, String> {
        for path in &self.too_long {
            tell(&format!("{path}: left out, since no more than {} bytes are read\n", dump::MAX_TEXT_BYTES))?;
        }
        if self.files == 0 {
            return Err(format!(
                "{}: none of its {} files has what kubectl prints of workloads",
                of.display(),
                self.seen
            ));
        }
        if self.links > 0 {
            tell(&format!("{}: {} links are not followed\n", of.display(), self.links))?;
        }
        let skipped = self.skipped + self.too_long.len();
        tell(&format!("{}: {} files read, {skipped} skipped.\n", of.display(), self.files))?;
        Ok(self.text)
    }
}

/// What a folder has, in the order of its names.
pub(crate) fn folder(of: &Path) -> Result<String, String> {
    let mut picked = Picked::default();
    walk(of, 0, &mut picked)?;
    picked.text(of)
}

fn walk(folder: &Path, depth: usize, picked: &mut Picked) -> Result<(), String> {
    let wrong = |error: std::io::Error| format!("{}: {error}", folder.display());
    if depth > DEEPEST {
        return Err(format!("{}: more than {DEEPEST} folders in one another; name one of them", folder.display()));
    }
    let mut entries = std::fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>).map_err(wrong)?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let kind = entry.file_type().map_err(wrong)?;
        let path = entry.path();
        if kind.is_dir() {
            walk(&path, depth + 1, picked)?;
        } else if kind.is_symlink() {
            // It may lead out of the folder, and back into it.
            picked.links += 1;
        } else if kind.is_file() {
            let name = path.to_string_lossy().replace('\\', "/");
            match entry.metadata().and_then(|about| Ok((about.len(), File::open(&path)?))) {
                Ok((size, mut file)) => picked.take(&name, size, &mut file)?,
                Err(error) => tell(&format!("{}: left out: {error}\n", path.display()))?,
            }
        }
    }
    Ok(())
}

/// What an archive has; a packed file that is none is a text.
pub(crate) fn archive(of: &Path, stream: &mut dyn Read, is_packed: bool) -> Result<String, String> {
    let wrong = |error: std::io::Error| format!("{}: {error}", of.display());
    let mut unpacked: Box<dyn Read> = if is_packed { Box::new(MultiGzDecoder::new(stream)) } else { Box::new(stream) };
    let mut first = Vec::new();
    unpacked.by_ref().take(512).read_to_end(&mut first).map_err(wrong)?;
    let is_archive = first.get(257..262) == Some(b"ustar");
    let mut whole = first.as_slice().chain(unpacked).take(MOST_UNPACKED);
    if !is_archive {
        let mut bytes = Vec::new();
        whole.take(dump::MAX_TEXT_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(wrong)?;
        return Ok(decoded(bytes));
    }
    let mut picked = Picked::default();
    let mut archive = tar::Archive::new(&mut whole);
    let mut is_cut = None;
    for entry in archive.entries().map_err(wrong)? {
        // What came before the place where an archive is damaged is read.
        let mut entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                is_cut = Some(error.to_string());
                break;
            }
        };
        if entry.header().entry_type().is_file() {
            let path = entry.path().map(|path| path.to_string_lossy().replace('\\', "/")).unwrap_or_default();
            let size = entry.size();
            picked.take(&path, size, &mut entry)?;
        }
    }
    if whole.limit() == 0 {
        return Err(format!(
            "{}: its files are more than {} MiB; unpack it, and name a part",
            of.display(),
            MOST_UNPACKED >> 20
        ));
    }
    if let Some(error) = is_cut {
        tell(&format!("{}: damaged, and read up to there: {error}\n", of.display()))?;
    }
    picked.text(of)
}
