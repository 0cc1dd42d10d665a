//! As much of HTTP/1.1 as reading files and frames takes: one request, one answer, and the connection ends.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// Bytes that a request may have: addresses here are short.
const MOST_BYTES: usize = 16 * 1024;

/// Header fields that a request may have.
const MOST_FIELDS: usize = 64;

/// How long a client may take to ask, and to take the answer: browsers open connections that they may not need.
const PATIENCE: Duration = Duration::from_secs(30);

/// Pages that share nothing with others may share memory between their threads, which the engine's need.
const ISOLATION: &str = "Cross-Origin-Opener-Policy: same-origin\r\n\
                         Cross-Origin-Embedder-Policy: require-corp\r\n";

/// What the page may load and where from, as it says itself: workers go by what comes with their scripts.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; \
                      style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'";

/// What somebody asks for.
#[derive(Debug, PartialEq)]
pub(super) struct Request {
    pub(super) is_get: bool,
    /// Without what follows on `?` or `#`.
    pub(super) path: String,
    /// What follows on `?`.
    pub(super) query: String,
    /// The name and the port by which the client knows this machine.
    pub(super) host: String,
}

/// What is answered.
#[derive(Debug)]
pub(super) struct Answer {
    status: u16,
    kind: &'static str,
    bytes: Vec<u8>,
}

impl Answer {
    /// Bytes of a kind.
    pub(super) fn of(bytes: Vec<u8>, kind: &'static str) -> Self {
        Self {
            status: 200,
            kind,
            bytes,
        }
    }

    /// Why there are none.
    pub(super) fn refusal(status: u16, why: &str) -> Self {
        Self {
            status,
            kind: "text/plain; charset=utf-8",
            bytes: why.as_bytes().to_vec(),
        }
    }

    /// Sends it. Who has gone away needs none.
    fn send(&self, stream: &mut TcpStream) -> std::io::Result<()> {
        let reason = match self.status {
            200 => "OK",
            400 => "Bad Request",
            403 => "Forbidden",
            404 => "Not Found",
            409 => "Conflict",
            _ => "Method Not Allowed",
        };
        let head = format!(
            "HTTP/1.1 {} {reason}\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: no-cache\r\n\
             X-Content-Type-Options: nosniff\r\nContent-Security-Policy: {POLICY}\r\n{ISOLATION}Connection: close\r\n\r\n",
            self.status,
            self.kind,
            self.bytes.len()
        );
        stream.write_all(head.as_bytes())?;
        stream.write_all(&self.bytes)?;
        stream.flush()
    }
}

/// Answers the request of a client; one that asks for nothing gets nothing.
pub(super) fn answer(mut stream: TcpStream, answer: impl FnOnce(&Request) -> Answer) {
    let is_patient = stream.set_read_timeout(Some(PATIENCE)).is_ok()
        && stream.set_write_timeout(Some(PATIENCE)).is_ok();
    if !is_patient {
        return;
    }
    let answer = match read(&mut stream) {
        Some(Ok(request)) => answer(&request),
        Some(Err(why)) => Answer::refusal(400, why),
        None => return,
    };
    // Nobody is left to be told.
    let _ = answer.send(&mut stream);
}

/// A request, or what is wrong with it; `None` if there is none.
fn read(stream: &mut impl Read) -> Option<Result<Request, &'static str>> {
    let mut bytes = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let count = stream.read(&mut piece).ok().filter(|&count| count > 0)?;
        bytes.extend(&piece[..count]);
        if let Some(read) = parsed(&bytes) {
            return Some(read);
        }
        if bytes.len() > MOST_BYTES {
            return Some(Err("the request is too long"));
        }
    }
}

/// The request that bytes are; `None` if more have to follow.
fn parsed(bytes: &[u8]) -> Option<Result<Request, &'static str>> {
    let mut fields = [httparse::EMPTY_HEADER; MOST_FIELDS];
    let mut request = httparse::Request::new(&mut fields);
    match request.parse(bytes) {
        Ok(httparse::Status::Complete(_)) => {}
        Ok(httparse::Status::Partial) => return None,
        Err(_) => return Some(Err("the request is not HTTP/1.1")),
    }
    let host = request
        .headers
        .iter()
        .find(|h| h.name.eq_ignore_ascii_case("host"));
    let host = host.and_then(|field| std::str::from_utf8(field.value).ok());
    let asked = request.path.unwrap_or_default();
    let asked = asked.split('#').next().unwrap_or_default();
    let (path, query) = asked.split_once('?').unwrap_or((asked, ""));
    Some(Ok(Request {
        is_get: request.method == Some("GET"),
        path: path.to_owned(),
        query: query.to_owned(),
        host: host.unwrap_or_default().trim().to_owned(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_says_the_same_policy() {
        let page = include_str!("../../web/index.html");
        assert!(page.contains(&format!("content=\"{POLICY}\"")));
    }

    #[test]
    fn requests_are_read_in_pieces_of_any_size() {
        let text = b"GET /a/b.js?x=1 HTTP/1.1\r\nhost: localhost:8000\r\nAccept: */*\r\n\r\n";
        for end in 1..text.len() {
            assert_eq!(parsed(&text[..end]), None);
        }
        let expected = Request {
            is_get: true,
            path: "/a/b.js".to_owned(),
            query: "x=1".to_owned(),
            host: "localhost:8000".to_owned(),
        };
        assert_eq!(parsed(text), Some(Ok(expected)));
    }

    #[test]
    fn what_is_no_request_is_refused() {
        for text in [&b"\x16\x03\x01\x02\x00"[..], b"GET / HTTP/9.9\r\n\r\n"] {
            assert!(parsed(text).is_some_and(|read| read.is_err()));
        }
        let endless = [b"GET /".to_vec(), vec![b'a'; 2 * MOST_BYTES]].concat();
        assert!(read(&mut &endless[..]).is_some_and(|read| read.is_err()));
        assert_eq!(read(&mut &b""[..]), None);
        assert_eq!(read(&mut &b"GET / HT"[..]), None);
    }
}
