//! Scene files that are edited while the scene runs.

use std::fs::File;
use std::time::SystemTime;

use super::*;

/// Writes a file as an editor does that writes at another second than before, whatever the file system counts in.
fn edit(file: &SceneFile, text: &str, later: u64) {
    file.write(text);
    let time = SystemTime::now() + Duration::from_secs(later);
    let written = File::options().write(true).open(file.path());
    let set = written.and_then(|file| file.set_modified(time));
    set.expect("a time");
}

/// Looks at a file until it has changed, or for a second.
fn has_changed(watch: &mut FileWatch) -> bool {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(1) {
        if watch.has_changed() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    false
}

#[test]
fn a_file_has_changed_once_for_each_time_it_is_written() {
    let file = SceneFile::new(BLOCK);
    let mut watch = FileWatch::new(&file.path());
    assert!(!has_changed(&mut watch));
    edit(&file, BLOCK, 2);
    assert!(has_changed(&mut watch));
    assert!(!has_changed(&mut watch));
    // Some editors take a file away for a moment.
    std::fs::remove_file(file.path()).expect("a file");
    assert!(!has_changed(&mut watch));
    edit(&file, BLOCK, 4);
    assert!(has_changed(&mut watch));
}

#[test]
fn a_file_that_was_not_there_has_changed_once_it_is() {
    let file = SceneFile::new(BLOCK);
    let path = file.folder.path().join("later.toml");
    let mut watch = FileWatch::new(&path);
    assert!(!has_changed(&mut watch));
    std::fs::write(&path, BLOCK).expect("a file");
    assert!(has_changed(&mut watch));
}

/// What the window does in each of its pictures, until the board shows what is waited for.
fn watch_until<R>(
    (session, watch): (&Session, &mut FileWatch),
    mut seen: impl FnMut(&mut Board) -> Option<R>,
) -> R {
    wait_for(session, |board| {
        if watch.has_changed() {
            session.tell(Command::Reload);
        }
        seen(board)
    })
}

#[test]
fn a_scene_that_is_edited_wrongly_goes_on_with_its_errors_shown_until_it_is_mended() {
    let file = SceneFile::new(BLOCK);
    let mut watch = FileWatch::new(&file.path());
    let session = session(&file);
    session.tell(Command::Run(true));
    wait_for(&session, |board| {
        board.snapshot.take().filter(|shown| shown.frame > 2)
    });
    edit(&file, &BLOCK.replace("[0.4,", "0.4, ["), 2);
    let problem = watch_until((&session, &mut watch), |board| board.problem.clone());
    // The place of the error: file and line.
    let place = problem.split("scene.toml:").nth(1).expect("a place");
    let line = BLOCK
        .lines()
        .position(|line| line.contains("0.4"))
        .expect("a line")
        + 1;
    assert!(place.starts_with(&line.to_string()), "{problem}");
    let before = newest(&session).frame;
    wait_for(&session, |board| {
        board.snapshot.take().filter(|shown| shown.frame > before)
    });
    assert_eq!(session.board().status, Status::Running);
    edit(&file, &BLOCK.replace("#ff8000", "#0080ff"), 4);
    let notice = watch_until((&session, &mut watch), |board| board.notice.clone());
    assert!(notice.contains("read again"), "{notice}");
    assert!(session.board().problem.is_none());
    let is_blue = |shown: &std::sync::Arc<Snapshot>| shown.sphere_colors[0][2] > 200;
    let shown = wait_for(&session, |board| board.snapshot.take().filter(is_blue));
    // A colour needs no new start.
    assert!(shown.frame > before, "{}", shown.frame);
}
