//! As much of HTTP as asking a server of runs takes: one request, one answer of a length that it tells, and the
//! connection ends. What is asked for is HTTP/1.0, so that no server sends an answer in pieces.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::run_source::RunAddress;

/// Bytes that the head of an answer may have.
const MOST_OF_HEAD: usize = 16 * 1024;

/// Header fields that an answer may have.
const MOST_FIELDS: usize = 64;

/// How long a machine may take to be reached.
const REACH: Duration = Duration::from_secs(5);

/// How long a server may send nothing: it reads a frame meanwhile.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long an answer may take as a whole.
const WHOLE: Duration = Duration::from_secs(600);

/// How often it is looked whether somebody still waits.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Bytes that are read at once.
const PIECE: usize = 256 * 1024;

/// Characters of a refusal that are told.
const MOST_OF_REFUSAL: usize = 2000;

/// Why there is no answer.
#[derive(Debug, PartialEq)]
pub(super) enum HttpError {
    /// Nobody is there, or it went away.
    Unreachable(String),
    /// It answers with a status other than 200, and says why.
    Refused {
        /// The status.
        status: u16,
        /// What it says.
        why: String,
    },
    /// What it answers is no answer, or too long a one.
    Bad(String),
}

/// Asks a server.
pub(super) struct Client {
    address: RunAddress,
    is_given_up: Arc<AtomicBool>,
    patience: Duration,
}

/// The head of an answer.
#[derive(Debug, PartialEq)]
struct Head {
    status: u16,
    length: u64,
    /// Bytes of the head itself.
    size: usize,
}

impl Client {
    pub fn of(address: &RunAddress, is_given_up: Arc<AtomicBool>) -> Self {
        Self {
            address: address.clone(),
            is_given_up,
            patience: PATIENCE,
        }
    }

    /// What a path leads to, beside the page of the address.
    ///
    /// # Errors
    /// If there is no answer, none of so many bytes at most, or none that is as long as it says.
    pub fn get(&self, path: &str, most_bytes: u64) -> Result<Vec<u8>, HttpError> {
        // A server may have given quantities any names.
        if !path.bytes().all(|byte| byte.is_ascii_graphic()) {
            let why = "it has names with spaces or characters other than ASCII";
            return Err(HttpError::Bad(why.to_owned()));
        }
        let mut stream = self.connected()?;
        let request = format!(
            "GET {}{path} HTTP/1.0\r\nHost: {}\r\nConnection: close\r\n\r\n",
            self.address.folder,
            self.address.host_and_port()
        );
        stream.write_all(request.as_bytes()).map_err(lost)?;
        let started = Instant::now();
        let mut bytes = Vec::new();
        let head = loop {
            if let Some(head) = head_of(&bytes)? {
                break head;
            }
            if self.read(&mut stream, &mut bytes, started)? == 0 {
                return Err(HttpError::Bad("the head of its answer is cut off".into()));
            }
        };
        if head.length > most_bytes {
            let length = head.length;
            let why = format!("its answer of {length} bytes is longer than {most_bytes}");
            return Err(HttpError::Bad(why));
        }
        bytes.drain(..head.size);
        while (bytes.len() as u64) < head.length {
            if self.read(&mut stream, &mut bytes, started)? == 0 {
                let (there, length) = (bytes.len(), head.length);
                let why = format!("its answer is cut off after {there} of {length} bytes");
                return Err(HttpError::Bad(why));
            }
        }
        bytes.truncate(head.length as usize);
        match head.status {
            200 => Ok(bytes),
            status => {
                let why = String::from_utf8_lossy(&bytes);
                let why = why.chars().filter(|c| !c.is_control());
                let why = why.take(MOST_OF_REFUSAL).collect();
                Err(HttpError::Refused { status, why })
            }
        }
    }

    /// A connection to the first of the machine's addresses that can be reached.
    fn connected(&self) -> Result<TcpStream, HttpError> {
        let RunAddress { host, port, .. } = &self.address;
        let found: Vec<SocketAddr> = (host.as_str(), *port)
            .to_socket_addrs()
            .map_err(lost)?
            .collect();
        let mut why = HttpError::Unreachable(format!("no machine is called `{host}`"));
        for address in found {
            match TcpStream::connect_timeout(&address, REACH) {
                Ok(stream) => {
                    let is_set = stream
                        .set_read_timeout(Some(LOOK_EVERY))
                        .and_then(|()| stream.set_write_timeout(Some(self.patience)));
                    return is_set.map(|()| stream).map_err(lost);
                }
                Err(error) => why = lost(error),
            }
        }
        Err(why)
    }

    /// Adds what comes next; how many bytes those are, 0 at the end.
    fn read(
        &self,
        stream: &mut impl Read,
        bytes: &mut Vec<u8>,
        started: Instant,
    ) -> Result<usize, HttpError> {
        if self.is_given_up.load(Ordering::Relaxed) {
            return Err(given_up());
        }
        let asked = Instant::now();
        let before = bytes.len();
        bytes.resize(before + PIECE, 0);
        let read = loop {
            match stream.read(&mut bytes[before..]) {
                Ok(count) => break Ok(count),
                Err(error) if is_wait(error.kind()) => {}
                Err(error) => break Err(lost(error)),
            }
            if self.is_given_up.load(Ordering::Relaxed) {
                break Err(given_up());
            }
            if asked.elapsed() > self.patience {
                let why = format!("it has sent nothing for {} s", self.patience.as_secs());
                break Err(HttpError::Unreachable(why));
            }
        };
        bytes.truncate(before + read.as_ref().copied().unwrap_or(0));
        if started.elapsed() > WHOLE {
            let why = format!("its answer takes longer than {} s", WHOLE.as_secs());
            return Err(HttpError::Bad(why));
        }
        read
    }
}

/// Whether nothing has come yet.
fn is_wait(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
    )
}

fn given_up() -> HttpError {
    HttpError::Unreachable("nobody waits for it".to_owned())
}

fn lost(error: std::io::Error) -> HttpError {
    HttpError::Unreachable(error.to_string())
}

/// The head of an answer; `None` if more of it has to follow.
fn head_of(bytes: &[u8]) -> Result<Option<Head>, HttpError> {
    let bad = |why: &str| HttpError::Bad(why.to_owned());
    let mut fields = [httparse::EMPTY_HEADER; MOST_FIELDS];
    let mut answer = httparse::Response::new(&mut fields);
    let size = match answer.parse(bytes) {
        Ok(httparse::Status::Complete(size)) => size,
        Ok(httparse::Status::Partial) if bytes.len() <= MOST_OF_HEAD => return Ok(None),
        Ok(httparse::Status::Partial) => return Err(bad("the head of its answer has no end")),
        Err(_) => return Err(bad("it does not speak HTTP")),
    };
    let field = |name: &str| {
        let mut found = answer.headers.iter();
        let field = found.find(|field| field.name.eq_ignore_ascii_case(name))?;
        std::str::from_utf8(field.value).ok().map(str::trim)
    };
    if field("transfer-encoding").is_some() {
        return Err(bad(
            "it sends its answer in pieces, which was not asked for",
        ));
    }
    let length = field("content-length").and_then(|length| length.parse().ok());
    Ok(Some(Head {
        status: answer.code.unwrap_or_default(),
        length: length.ok_or_else(|| bad("it does not tell how long its answer is"))?,
        size,
    }))
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::thread::JoinHandle;

    use super::*;

    /// A server that answers one request by bytes, again and again as often as is said, and what is made of them.
    fn asked(answer: &[u8], times: usize) -> Result<Vec<u8>, HttpError> {
        let (client, server) = served(answer, times);
        let got = client.get("runs.json", 1000);
        server.join().expect("a server");
        got
    }

    fn served(answer: &[u8], times: usize) -> (Client, JoinHandle<()>) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("a port").port();
        let answer = answer.to_vec();
        let server = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().expect("a client");
            let mut request = [0; 1000];
            let _ = stream.read(&mut request);
            for _ in 0..times {
                if stream.write_all(&answer).is_err() {
                    break;
                }
            }
        });
        let address = RunAddress::parse(&format!("http://localhost:{port}/")).expect("an address");
        (Client::of(&address, Arc::default()), server)
    }

    #[test]
    fn answers_are_as_long_as_they_say() {
        let text = b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello, and more";
        assert_eq!(asked(text, 1), Ok(b"hello".to_vec()));
        let refused = b"HTTP/1.1 404 Not Found\r\nContent-Length: 9\r\n\r\nno\x1b frame";
        let why = "no frame".to_owned();
        assert_eq!(
            asked(refused, 1),
            Err(HttpError::Refused { status: 404, why })
        );
    }

    #[test]
    fn what_is_no_answer_or_an_endless_one_is_an_error() {
        let told = |answer: &[u8], times| match asked(answer, times) {
            Err(HttpError::Bad(why)) => why,
            other => panic!("{other:?}"),
        };
        for (answer, times, why) in [
            (&b""[..], 1, "cut off"),
            (b"HTTP/1.1 200 OK\r\n", 1, "cut off"),
            (b"SSH-2.0-OpenSSH_9.2\r\n\r\n", 1, "speak HTTP"),
            (
                b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello",
                1,
                "after 5 of 9",
            ),
            (b"HTTP/1.1 200 OK\r\n\r\nhello", 1, "how long"),
            (
                b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
                1,
                "how long",
            ),
            (
                b"HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n",
                1,
                "longer than 1000",
            ),
            (
                b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
                1,
                "how long",
            ),
            (
                b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
                1,
                "in pieces",
            ),
            (b"HTTP/1.1 200 ", 1_000_000, "no end"),
            (b"HTTP/1.1 200 \x00\r\n", 1, "speak HTTP"),
        ] {
            let found = told(answer, times);
            assert!(found.contains(why), "{found}, not {why}");
        }
        let endless = [&b"HTTP/1.1 200 OK\r\nX: "[..], &[b'a'; 64 * 1024]].concat();
        assert!(told(&endless, 1).contains("no end"));
    }

    #[test]
    fn a_name_cannot_add_to_the_head_of_a_request() {
        let address = RunAddress::parse("http://localhost:1/").expect("an address");
        let client = Client::of(&address, Arc::default());
        let got = client.get("runs/0/1/window?color=a\r\nX: b", 1000);
        assert!(matches!(got, Err(HttpError::Bad(why)) if why.contains("names")));
    }

    #[test]
    fn nobody_is_waited_for_longer_than_it_makes_sense() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("a port").port();
        let address = RunAddress::parse(&format!("http://localhost:{port}/")).expect("an address");
        let mut client = Client::of(&address, Arc::default());
        client.patience = Duration::from_millis(1);
        let silent = client.get("runs.json", 1000);
        assert!(matches!(silent, Err(HttpError::Unreachable(why)) if why.contains("nothing")));
        client.patience = PATIENCE;
        client.is_given_up.store(true, Ordering::Relaxed);
        let given_up = client.get("runs.json", 1000);
        assert!(matches!(given_up, Err(HttpError::Unreachable(why)) if why.contains("nobody")));
        drop(listener);
        let gone = client.get("runs.json", 1000);
        assert!(matches!(gone, Err(HttpError::Unreachable(_))));
    }
}
