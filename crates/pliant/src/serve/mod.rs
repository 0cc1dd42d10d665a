//! A server for browsers and for `pliant view`: the page of the engine, runs of this machine, and a simulation that goes
//! on. It answers this machine alone; whoever works on another one comes by a tunnel.
//!
//! | asked for | answer |
//! | --- | --- |
//! | `/runs.json` | what is known of each run, with the frames that there are now |
//! | `/runs/K/FRAME?color=NAME` | what a page draws of a frame of run K, counted from 0: [`pliant_view::PageColumns`] |
//! | `/runs/K/...` | what a window asks for: see `run_source::wire` |
//! | any other | a file of the page |

mod built_in;
mod http;
mod live;
mod page_files;
mod runs;

use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;

use crate::run_source::{FolderRun, RunSource};
use http::{Answer, Request};
pub use live::LiveShow;
use page_files::PageFiles;
pub use page_files::{PAGE_SCRIPT, page_beside};
use runs::ServedRun;

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

/// A server that listens.
pub struct PageServer {
    listener: TcpListener,
    page: PageFiles,
    runs: Vec<ServedRun>,
    has_ended: AtomicBool,
}

impl PageServer {
    /// Listens on a port of this machine; 0 takes a free one.
    ///
    /// * `page` — the folder of the page; without one, runs alone can be shown
    ///
    /// # Errors
    /// If there is no page, no run in a folder, or if the port is taken.
    pub fn open(page: Option<&Path>, runs: &[PathBuf], port: u16) -> Result<Self, ServeError> {
        let open = |folder: &PathBuf| -> Result<Box<dyn RunSource>, ServeError> {
            let run = FolderRun::open(folder);
            Ok(Box::new(
                run.map_err(|error| ServeError::Run(error.to_string()))?,
            ))
        };
        let runs = runs.iter().map(open).collect::<Result<_, _>>()?;
        Self::of(page, runs, port)
    }

    fn of(
        page: Option<&Path>,
        runs: Vec<Box<dyn RunSource>>,
        port: u16,
    ) -> Result<Self, ServeError> {
        let page = PageFiles::of(page)?;
        let listener =
            TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|why| ServeError::Port {
                port,
                why: why.to_string(),
            })?;
        Ok(Self {
            listener,
            page,
            runs: runs.into_iter().map(ServedRun::of).collect(),
            has_ended: AtomicBool::new(false),
        })
    }

    /// Where a browser or a window finds it: the first run, if there is one.
    pub fn address(&self) -> String {
        let port = self.listener.local_addr().map_or(0, |own| own.port());
        let first = if self.runs.is_empty() { "" } else { "#run=0" };
        format!("{SCHEME}://localhost:{port}/{first}")
    }

    /// Answers requests until it is stopped, each in a thread of its own: a browser has half a dozen
    /// connections, and some wait.
    pub fn work(&self) {
        std::thread::scope(|scope| {
            for stream in self.listener.incoming().flatten() {
                if self.has_ended.load(Ordering::Relaxed) {
                    break;
                }
                scope.spawn(|| http::answer(stream, |request| self.answer(request)));
            }
        });
    }

    /// Ends [`Self::work`], which another thread does.
    pub(crate) fn stop(&self) {
        self.has_ended.store(true, Ordering::Relaxed);
        if let Ok(own) = self.listener.local_addr() {
            // It waits for somebody to come.
            let _ = TcpStream::connect(own);
        }
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
            Some(path) => self.run(path, request),
            None => match self.page.read(&request.path) {
                Some((bytes, kind)) => Answer::of(bytes, kind),
                None => Answer::refusal(404, "there is no such file"),
            },
        }
    }

    fn list(&self) -> Answer {
        let runs = self.runs.iter().map(|run| run.told()).collect();
        let text = Value::Array(runs).to_string();
        Answer::of(text.into_bytes(), "application/json")
    }

    /// `/K/FRAME` and what else is asked of a run.
    fn run(&self, path: &str, request: &Request) -> Answer {
        let asked = path.strip_prefix('/').and_then(|path| path.split_once('/'));
        let found =
            asked.and_then(|(run, path)| Some((self.runs.get(run.parse::<usize>().ok()?)?, path)));
        match found {
            Some((run, path)) => run.answer(path, request),
            None => Answer::refusal(404, "there is no such run"),
        }
    }
}

/// Whether a browser believes that it talks to this machine: a page of somebody else could lead it here under a name
/// of its own.
fn is_for_this_machine(host: &str) -> bool {
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    ["localhost", "127.0.0.1"].contains(&name)
}
