//! A film of what was done.

use std::sync::{Arc, Mutex, PoisonError};

use super::pouring::BASIN;
use super::*;
use crate::live::film::{Film, Footage};

/// Waits until it is over, and tells what it said last.
fn said(film: &Film, board: &Arc<Mutex<Board>>) -> Board {
    let start = Instant::now();
    while !film.is_over() {
        assert!(start.elapsed() < Duration::from_secs(120), "it hangs");
        std::thread::sleep(Duration::from_millis(20));
    }
    std::mem::take(&mut *board.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Three frames of a scene with a ball of water poured after the first.
fn footage(file: &SceneFile) -> (Footage, usize) {
    let mut live = file.open();
    let (body, at) = ("water".to_owned(), [0.0, 0.3, 0.0]);
    live.apply(Input::Pour { body, at }).expect("water");
    step(&mut live, 3);
    let inputs = file.folder.path().join("scene.inputs.toml");
    write_inputs(&live.log(), &inputs).expect("written");
    let footage = Footage {
        file: inputs,
        log: live.log(),
        frames: 3,
        folder: file.folder.path().join("film"),
        threads: 1,
    };
    (footage, live.simulation().particles().position.len())
}

#[test]
fn a_film_shows_what_was_done() {
    let file = SceneFile::new(BASIN);
    let (footage, particles) = footage(&file);
    let board = Arc::new(Mutex::new(Board::default()));
    let film = Film::begin(footage, Arc::clone(&board));
    let notice = said(&film, &board).notice.unwrap_or_default();
    assert!(notice.contains("the film is"), "{notice}");
    let stats = file.folder.path().join("film/stats.csv");
    let table = std::fs::read_to_string(stats).expect("statistics");
    let mut rows = table.lines().filter(|line| !line.starts_with('#'));
    let columns = rows.next().expect("names").split(',');
    let place = columns.map(str::trim).position(|name| name == "particles");
    let place = place.expect("a column of counts");
    let last = rows.next_back().and_then(|row| row.split(',').nth(place));
    assert_eq!(last.map(str::trim), Some(particles.to_string().as_str()));
}

#[test]
fn a_film_that_cannot_be_made_says_why() {
    let file = SceneFile::new(BASIN);
    let (footage, _) = footage(&file);
    std::fs::remove_file(file.path()).expect("it was there");
    let board = Arc::new(Mutex::new(Board::default()));
    let film = Film::begin(footage, Arc::clone(&board));
    let board = said(&film, &board);
    let problem = board.problem.unwrap_or_default();
    assert!(
        board.notice.is_none() && problem.contains("scene.toml"),
        "{problem}"
    );
}
