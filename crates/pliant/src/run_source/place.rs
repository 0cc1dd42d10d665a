//! Where a run is: a folder of this machine, or an address.

use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};

/// What an address starts with.
const SCHEME: &str = "http://";

/// The port of an address that names none.
const USUAL_PORT: u16 = 80;

/// Most characters of an address.
const MOST_CHARACTERS: usize = 2000;

/// Where a run is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunPlace {
    /// The folder of a run.
    Folder(PathBuf),
    /// A run that is served.
    Address(RunAddress),
}

/// The address of a run that `pliant serve` or a simulation shows: `http://localhost:8000/#run=0`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunAddress {
    /// The name or the number of the machine, without brackets.
    pub(crate) host: String,
    pub(crate) port: u16,
    /// The path of the page's folder, with a slash at both ends.
    pub(crate) folder: String,
    /// Which of the runs there, counted from 0.
    pub(crate) run: usize,
}

/// An address that leads to no run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{address}` is no address of a run: {why}; expected one such as http://localhost:8000/ or http://localhost:8000/#run=1"
)]
pub struct BadAddress {
    address: String,
    why: &'static str,
}

impl RunPlace {
    /// The folder or the address that an argument names: what starts with `http://` or `https://` is an address.
    ///
    /// # Errors
    /// If an address leads to no run.
    pub fn named(argument: &OsStr) -> Result<Self, BadAddress> {
        let address = argument.to_str().filter(|text| is_address(text));
        match address {
            Some(text) => RunAddress::parse(text).map(Self::Address),
            None => Ok(Self::Folder(PathBuf::from(argument))),
        }
    }
}

impl From<&Path> for RunPlace {
    fn from(folder: &Path) -> Self {
        Self::Folder(folder.to_owned())
    }
}

impl fmt::Display for RunPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(folder) => folder.display().fmt(f),
            Self::Address(address) => address.fmt(f),
        }
    }
}

fn is_address(text: &str) -> bool {
    let starts_with = |start: &str| {
        let head = text.get(..start.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(start))
    };
    starts_with(SCHEME) || starts_with("https://")
}

impl RunAddress {
    /// Reads an address.
    ///
    /// # Errors
    /// If it leads to no run.
    pub fn parse(text: &str) -> Result<Self, BadAddress> {
        parsed(text).map_err(|why| BadAddress {
            address: text.chars().take(MOST_CHARACTERS).collect(),
            why,
        })
    }

    /// The name of the machine with its port, as a client tells it to a server.
    pub(crate) fn host_and_port(&self) -> String {
        match self.host.contains(':') {
            true => format!("[{}]:{}", self.host, self.port),
            false => format!("{}:{}", self.host, self.port),
        }
    }
}

impl fmt::Display for RunAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (host, folder) = (self.host_and_port(), &self.folder);
        write!(f, "{SCHEME}{host}{folder}#run={}", self.run)
    }
}

fn parsed(text: &str) -> Result<RunAddress, &'static str> {
    if text.len() > MOST_CHARACTERS {
        return Err("it is too long");
    }
    if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err("it has characters other than letters, digits and signs of ASCII");
    }
    let rest = match text.get(..SCHEME.len()) {
        Some(scheme) if scheme.eq_ignore_ascii_case(SCHEME) => &text[SCHEME.len()..],
        _ => {
            return Err("runs are served by plain `http://`; come to another machine by a tunnel");
        }
    };
    let (before, fragment) = rest.split_once('#').unwrap_or((rest, ""));
    let before = before.split('?').next().unwrap_or_default();
    let (authority, path) = match before.find('/') {
        Some(slash) => before.split_at(slash),
        None => (before, "/"),
    };
    let (host, port) = host_and_port(authority)?;
    let run = match fragment {
        "" => 0,
        _ => fragment
            .strip_prefix("run=")
            .and_then(|number| number.parse().ok())
            .ok_or("what follows on `#` is not the number of a run")?,
    };
    Ok(RunAddress {
        host,
        port,
        folder: path[..=path.rfind('/').unwrap_or(0)].to_owned(),
        run,
    })
}

/// `localhost:8000`, `[::1]:8000`, `machine`.
fn host_and_port(authority: &str) -> Result<(String, u16), &'static str> {
    if authority.contains('@') {
        return Err("servers of runs know no names of users");
    }
    let (host, port) = match authority.strip_prefix('[') {
        Some(rest) => {
            let (host, port) = rest.split_once(']').ok_or("its `[` is not closed")?;
            (host, port.strip_prefix(':').unwrap_or(port))
        }
        None => authority.rsplit_once(':').unwrap_or((authority, "")),
    };
    if host.is_empty() {
        return Err("it names no machine");
    }
    let port = match port {
        "" => USUAL_PORT,
        port => port
            .parse()
            .map_err(|_| "its port is not a number from 1 to 65535")?,
    };
    Ok((host.to_owned(), port))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_lead_to_runs_and_anything_else_is_a_folder() {
        let read = |text: &str| match RunPlace::named(OsStr::new(text)) {
            Ok(RunPlace::Address(a)) => Ok((a.host, a.port, a.folder, a.run)),
            Ok(RunPlace::Folder(_)) => Ok((String::new(), 0, String::new(), 0)),
            Err(error) => Err(error.to_string()),
        };
        let address = |host: &str, port, folder: &str, run| {
            Ok((host.to_owned(), port, folder.to_owned(), run))
        };
        let expected = [
            ("http://localhost:8000/#run=2", "localhost", 8000, "/", 2),
            ("HTTP://localhost:8000", "localhost", 8000, "/", 0),
            (
                "http://[::1]:8000/a/b.html?x=1#run=0",
                "::1",
                8000,
                "/a/",
                0,
            ),
            ("http://example.org/runs/", "example.org", 80, "/runs/", 0),
        ];
        for (text, host, port, folder, run) in expected {
            assert_eq!(read(text), address(host, port, folder, run), "{text}");
        }
        for folder in ["out/tori", "http:/x", "httpx://y", ""] {
            assert_eq!(read(folder), address("", 0, "", 0), "{folder}");
        }
        for (scheme, wrong, why) in [
            ("https://", "localhost/", "tunnel"),
            (SCHEME, "", "no machine"),
            (SCHEME, ":80/", "no machine"),
            (SCHEME, "localhost:port/", "port"),
            (SCHEME, "localhost:70000/", "port"),
            (SCHEME, "me@localhost/", "users"),
            (SCHEME, "[::1/", "not closed"),
            (SCHEME, "localhost/ a", "characters"),
            (SCHEME, "localhost/\r\nX: y", "characters"),
            (SCHEME, "localhost/#run=first", "number of a run"),
        ] {
            let told = read(&format!("{scheme}{wrong}"));
            assert!(told.is_err_and(|told| told.contains(why)), "{wrong}");
        }
        let long = format!("{SCHEME}{}", "a".repeat(MOST_CHARACTERS));
        assert!(read(&long).is_err_and(|told| told.contains("too long")));
    }
}
