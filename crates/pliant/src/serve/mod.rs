//! A server for browsers: the page of the engine, runs of this machine, and a simulation that goes on. It answers this machine alone; whoever
//! works on another one comes by a tunnel.
//!
//! | asked for | answer |
//! | --- | --- |
//! | `/runs.json` | what is known of each run, with the frames that there are now |
//! | `/runs/K/FRAME` | what is to be seen in a frame of run K, counted from 0: see [`columns`] |
//! | any other | a file of the page |

mod built_in;
mod columns;
mod http;
mod live;
mod page_files;
mod reader;

use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use pliant_math::DVec3;
use serde_json::{Value, json};

use crate::live::SceneFacts;
use crate::recorded::RecordedError;
use http::{Answer, Request};
pub use live::LiveShow;
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
    runs: Vec<Box<dyn Frames>>,
    has_ended: AtomicBool,
}

/// What a page shows, frame by frame.
trait Frames: Send + Sync {
    /// What is known of it, and which frames there are now.
    fn told(&self) -> Value;

    /// The columns of a frame, or why there are none.
    fn frame(&self, number: u32) -> Result<Vec<u8>, String>;
}

/// What a page needs to know of a scene.
fn told_of(facts: &SceneFacts, frames: &[u32]) -> Value {
    let is_up = |axis: &DVec3| facts.up.dot(*axis).abs() > 0.5;
    let camera = facts.cameras.first();
    json!({
        "camera": camera.map(|camera| [camera.position.to_array(), camera.target.to_array()]),
        "title": facts.title,
        "upAxis": DVec3::AXES.iter().position(is_up).unwrap_or(1),
        "frameRate": facts.frame_rate,
        "frames": frames,
    })
}

impl PageServer {
    /// Listens on a port of this machine; 0 takes a free one.
    ///
    /// * `page` — the folder of the page; without one, runs alone can be shown
    ///
    /// # Errors
    /// If there is no page, no run in a folder, or if the port is taken.
    pub fn open(page: Option<&Path>, runs: &[PathBuf], port: u16) -> Result<Self, ServeError> {
        let open = |folder: &PathBuf| -> Result<Box<dyn Frames>, ServeError> {
            Ok(Box::new(RunReader::open(folder)?))
        };
        let runs = runs.iter().map(open).collect::<Result<_, _>>()?;
        Self::of(page, runs, port)
    }

    fn of(page: Option<&Path>, runs: Vec<Box<dyn Frames>>, port: u16) -> Result<Self, ServeError> {
        let page = PageFiles::of(page)?;
        let listener =
            TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|why| ServeError::Port {
                port,
                why: why.to_string(),
            })?;
        Ok(Self {
            listener,
            page,
            runs,
            has_ended: AtomicBool::new(false),
        })
    }

    /// Where a browser finds it: the first run, if there is one.
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
    fn stop(&self) {
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
            Some(frame) => self.frame(frame),
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
