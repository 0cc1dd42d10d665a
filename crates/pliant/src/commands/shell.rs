//! Commands that are printed for somebody to run: each argument as a shell reads it.

use std::path::Path;

/// A path as an argument: quoted where a shell would take it apart, and never taken for an option.
pub(crate) fn argument(path: &Path) -> String {
    let text = path.display().to_string();
    let text = match text.starts_with('-') {
        true => format!("./{text}"),
        false => text,
    };
    quoted(&text)
}

/// The command that goes on with the run in a folder, whatever it was started with: the scene that a
/// run writes beside its checkpoints carries all that decides its numbers.
pub(crate) fn resume_command(folder: &Path, threads: Option<u16>) -> String {
    let scene = argument(&folder.join("scene.toml"));
    let threads = threads.map_or(String::new(), |count| format!(" --threads {count}"));
    format!(
        "pliant run {scene} --out {} --resume{threads}",
        argument(folder)
    )
}

/// A command of this program with the arguments it was started with, and another one unless it is
/// among them.
pub(crate) fn same_command_with(option: &str) -> String {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    if !arguments.iter().any(|argument| argument == option) {
        arguments.push(option.to_owned());
    }
    let quoted: Vec<String> = arguments.iter().map(|argument| quoted(argument)).collect();
    format!("pliant {}", quoted.join(" "))
}

/// As POSIX shells read it. A text that no argument can hold stays as it is.
#[cfg(not(windows))]
fn quoted(text: &str) -> String {
    shlex::try_quote(text).map_or_else(|_| text.into(), Into::into)
}

/// As both shells of Windows read it; names of files have no quotation marks there.
#[cfg(windows)]
fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "\\/:._-".contains(c);
    match text.chars().all(is_plain) {
        true => text.into(),
        false => format!("\"{text}\""),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_read_back_by_a_shell() {
        for path in [
            "plain/scene.toml",
            "with space/it's \"mine\".toml",
            "$HOME/`x`;*",
            "-dash",
        ] {
            let shell = std::process::Command::new("sh")
                .args(["-c", &format!("printf %s {}", argument(Path::new(path)))])
                .output()
                .unwrap();
            let read = String::from_utf8(shell.stdout).unwrap();
            let expected = Path::new(path);
            assert_eq!(Path::new(read.trim_start_matches("./")), expected);
        }
        assert_eq!(argument(Path::new("out/a.toml")), "out/a.toml");
    }
}
