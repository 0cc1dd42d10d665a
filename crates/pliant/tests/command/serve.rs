//! `pliant serve`.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use pliant_io::export::read_frame;

use super::support::*;

/// A server that ends with the test.
struct Server {
    program: Child,
    address: String,
}

impl Server {
    fn start(place: &Place, arguments: &str) -> Self {
        let mut command = place.command(&format!("serve --port 0 {arguments}"));
        let mut program = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        let output = program.stdout.take().unwrap();
        BufReader::new(output).read_line(&mut line).unwrap();
        let address = line.split_once("http://").unwrap().1;
        let address = address.split_once('/').unwrap().0.to_owned();
        Self { program, address }
    }

    /// What it answers to a request: the status and the bytes.
    fn ask(&self, method: &str, path: &str, host: &str) -> (u16, Vec<u8>) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let request =
            format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let end = answer.windows(4).position(|w| w == b"\r\n\r\n").unwrap();
        let head = String::from_utf8(answer[..end].to_vec()).unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, answer.split_off(end + 4))
    }

    fn get(&self, path: &str) -> (u16, Vec<u8>) {
        self.ask("GET", path, &self.address)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

fn place() -> Place {
    let place = Place::with(SAND);
    fs::create_dir(place.path("page")).unwrap();
    fs::write(place.path("page/index.html"), "a page").unwrap();
    fs::write(place.path("secret"), "a secret").unwrap();
    place
}

#[test]
fn frames_of_a_run_have_the_places_of_its_files() {
    let place = place();
    place.pliant_succeeds("run scene.toml --out run --frames 3 -q");
    let server = Server::start(&place, "run --page page");
    assert_eq!(server.get("/"), (200, b"a page".to_vec()));
    let (status, runs) = server.get("/runs.json");
    let runs = String::from_utf8(runs).unwrap();
    assert_eq!(status, 200);
    assert!(
        runs.contains(r#""frames":[1,2,3,4]"#) && runs.contains(r#""title":"Sand""#),
        "{runs}"
    );

    let (status, bytes) = server.get("/runs/0/4?color=speed&low=0&high=1");
    assert_eq!(status, 200);
    let expected = read_frame(&place.path("run/particles/particles.0004.vtp")).unwrap();
    let word = |at: usize| <[u8; 4]>::try_from(&bytes[at..at + 4]).unwrap();
    let counts: [u32; 10] = std::array::from_fn(|k| u32::from_le_bytes(word(4 * k)));
    let [number, count, vertices, triangles, corners, .., legend] = counts;
    assert_eq!(
        [number, count, vertices, triangles],
        [4, expected.position.len() as u32, 0, 0]
    );
    assert!(corners >= 6, "a floor is drawn");
    let time = f64::from_le_bytes(bytes[40..48].try_into().unwrap());
    assert!((time - expected.time).abs() < 1e-12);
    for (k, position) in expected.position.iter().enumerate() {
        let place = [0, 1, 2].map(|axis| f32::from_le_bytes(word(56 + 16 * k + 4 * axis)));
        assert_eq!(place, position.as_vec3().to_array());
    }
    let first_id = 56 + 20 * expected.position.len();
    for (k, id) in expected.id.iter().enumerate() {
        assert_eq!(word(first_id + 4 * k), id.to_le_bytes());
    }
    assert_eq!(bytes.len() as u32, 56 + 24 * count + 32 * corners + legend);
    assert!(String::from_utf8_lossy(&bytes[bytes.len() - legend as usize..]).contains("m/s"));
    let (status, told) = server.get("/runs/0/4?color=nonsense");
    let told = String::from_utf8(told).unwrap();
    assert!(status == 409 && told.contains("speed"), "{status}: {told}");
}

#[test]
fn runs_are_shown_where_no_page_was_built() {
    let place = place();
    place.pliant_succeeds("run scene.toml --out run --frames 1 -q");
    let server = Server::start(&place, "run");
    for (path, part) in [
        ("/", "<canvas"),
        ("/recorded.js", "export class"),
        ("/runs.json", "Sand"),
    ] {
        let (status, bytes) = server.get(path);
        assert_eq!(status, 200, "{path}");
        assert!(String::from_utf8(bytes).unwrap().contains(part), "{path}");
    }
}

#[test]
fn nothing_else_is_told_and_nobody_else_is_answered() {
    let place = place();
    let server = Server::start(&place, "--page page");
    assert_eq!(server.get("/runs.json"), (200, b"[]".to_vec()));
    for path in [
        "/runs/0/1",
        "/runs/x/y",
        "/runs/",
        "/../secret",
        "/%2e%2e/secret",
        "/none",
    ] {
        assert_eq!(server.get(path).0, 404, "{path}");
    }
    assert_eq!(server.ask("GET", "/", "somewhere.example").0, 403);
    assert_eq!(server.ask("POST", "/", &server.address).0, 405);
}

#[test]
fn what_cannot_be_served_is_an_error_that_says_what_to_do() {
    let place = place();
    for (arguments, told) in [
        ("serve --page nowhere", "tools/web/build"),
        (
            "serve nowhere --page page --port 0",
            "holds no run of Pliant",
        ),
    ] {
        let said = place.pliant(arguments);
        assert_eq!(said.status, Some(2), "{arguments}");
        assert!(said.errors.contains(told), "{}", said.errors);
    }
    let server = Server::start(&place, "--page page");
    let port = server.address.rsplit_once(':').unwrap().1;
    let said = place.pliant(&format!("serve --page page --port {port}"));
    assert_eq!(said.status, Some(1));
    assert!(
        said.errors.contains(port) && said.errors.contains("--port"),
        "{}",
        said.errors
    );
}
