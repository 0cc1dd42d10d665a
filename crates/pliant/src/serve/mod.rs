//! A server for browsers: the page of the engine, and runs of this machine. It answers this machine alone; whoever
//! works on another one comes by a tunnel.
//!
//! | asked for | answer |
//! | --- | --- |
//! | `/runs.json` | what is known of each run, with the frames that there are now |
//! | `/runs/K/FRAME` | what is to be seen in a frame of run K, counted from 0: see [`columns`] |
//! | any other | a file of the page |

mod columns;
mod http;
mod page_files;
mod reader;

use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};

use crate::recorded::RecordedError;
use http::{Answer, Request};
use page_files::PageFiles;
pub use page_files::{PAGE_SCRIPT, page_beside};
use reader::RunReader;

/// How a browser asks.
const SCHEME: &str = "http";

/// Why nothing is served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The page does not stand where it is looked for.
    #[error("there is no page of the engine in `{}`: it has no index.html", folder.display())]
    NoPage {
        /// The folder.
        folder: PathBuf,
    },
    /// A folder holds no run, or one that cannot be shown.
    #[error("{0}")]
    Run(String),
    /// Another program listens there, or nobody may.
    #[error("cannot listen on port {port} of this machine: {why}")]
    Port {
        /// The port.
        port: u16,
        /// What the system says.
        why: String,
    },
}

impl From<RecordedError> for ServeError {
    fn from(error: RecordedError) -> Self {
        Self::Run(error.to_string())
    }
}

/// A server that listens.
pub struct PageServer {
    listener: TcpListener,
    page: PageFiles,
    runs: Vec<RunReader>,
}

impl PageServer {
    /// Listens on a port of this machine; 0 takes a free one.
    ///
    /// # Errors
    /// If there is no page, no run in a folder, or if the port is taken.
    pub fn open(page: &Path, runs: &[PathBuf], port: u16) -> Result<Self, ServeError> {
        let page = PageFiles::of(page)?;
        let runs = runs.iter().map(|folder| RunReader::open(folder));
        let runs = runs.collect::<Result<_, _>>()?;
        let listener =
            TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|why| ServeError::Port {
                port,
                why: why.to_string(),
            })?;
        Ok(Self {
            listener,
            page,
            runs,
        })
    }

    /// Where a browser finds it: the first run, if there is one.
    pub fn address(&self) -> String {
        let port = self.listener.local_addr().map_or(0, |own| own.port());
        let first = if self.runs.is_empty() { "" } else { "#run=0" };
        format!("{SCHEME}://localhost:{port}/{first}")
    }

    /// Answers requests for as long as the program runs, each in a thread of its own: a browser has half a dozen
    /// connections, and some wait.
    pub fn work(&self) {
        std::thread::scope(|scope| {
            for stream in self.listener.incoming().flatten() {
                scope.spawn(|| http::answer(stream, |request| self.answer(request)));
            }
        });
    }

    fn answer(&self, request: &Request) -> Answer {
        if !is_for_this_machine(&request.host) {
            return Answer::refusal(403, "this server answers for localhost alone");
        }
        if !request.is_get {
            return Answer::refusal(405, "files and frames can be read, and nothing else done");
        }
        match request.path.strip_prefix("/runs") {
            Some(".json") => self.list(),
            Some(frame) => self.frame(frame),
            None => match self.page.read(&request.path) {
                Some((bytes, kind)) => Answer::of(bytes, kind),
                None => Answer::refusal(404, "there is no such file"),
            },
        }
    }

    fn list(&self) -> Answer {
        let runs: Vec<_> = self.runs.iter().map(RunReader::told).collect();
        let text = serde_json::Value::Array(runs).to_string();
        Answer::of(text.into_bytes(), "application/json")
    }

    /// `/K/FRAME`.
    fn frame(&self, path: &str) -> Answer {
        let asked = path.strip_prefix('/').and_then(|path| path.split_once('/'));
        let asked = asked.and_then(|(run, frame)| {
            let run = self.runs.get(run.parse::<usize>().ok()?)?;
            Some((run, frame.parse().ok()?))
        });
        let Some((run, frame)) = asked else {
            return Answer::refusal(404, "there is no such frame");
        };
        match run.frame(frame) {
            Ok(bytes) => Answer::of(bytes, "application/octet-stream"),
            Err(why) => Answer::refusal(404, &why),
        }
    }
}

/// Whether a browser believes that it talks to this machine: a page of somebody else could lead it here under a name
/// of its own.
fn is_for_this_machine(host: &str) -> bool {
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    ["localhost", "127.0.0.1"].contains(&name)
}
