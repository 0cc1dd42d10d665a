//! The functions that a page calls, in the plain interface of C. Texts and files go in through one buffer; columns
//! are read from the module's memory, at addresses that hold until the next call.
//!
//! Functions that can fail return 0 if they did not, and 1 if they did; then [`pliant_message`] says why. A panic ends in a
//! trap, and leaves its message too.
//!
//! `unsafe` is in this file for its attribute only, which says that no other function of the program has the name.
#![allow(unsafe_code)]

use std::cell::RefCell;
use std::path::Path;

use pliant_core::parallel::Pool;
use pliant_interaction::{Input, InputLog};
use pliant_math::DVec3;
use pliant_scene::Overrides;

use crate::{MemoryFiles, Opening, Player, PlayerError, RefusedChange, facts, particle_file};

/// What the functions work on. They are called by one thread, which other threads help in a module that has them.
#[derive(Default)]
struct Module {
    /// The threads that scenes are stepped on.
    pool: Option<Pool>,
    /// What a page has put in.
    input: Vec<u8>,
    /// A file that a page takes out.
    output: Vec<u8>,
    files: MemoryFiles,
    /// Values that the next scene to be opened has in place of its own.
    set: Vec<String>,
    player: Option<Player>,
}

thread_local! {
    static MODULE: RefCell<Module> = RefCell::default();
    /// Apart from the rest, which is in use while something panics. Each thread has its own.
    static MESSAGE: RefCell<String> = RefCell::default();
}

/// Measures time by a clock of the page where the standard library has none.
#[cfg(target_os = "unknown")]
fn use_clock() {
    #[link(wasm_import_module = "env")]
    unsafe extern "C" {
        /// Time since some moment that stays the same [ms].
        safe fn now() -> f64;
    }
    let since = || std::time::Duration::from_secs_f64(now().max(0.0) * 1e-3);
    pliant_core::clock::set_clock(since);
}

#[cfg(not(target_os = "unknown"))]
fn use_clock() {}

fn with<R>(work: impl FnOnce(&mut Module) -> R) -> R {
    MODULE.with_borrow_mut(work)
}

fn tell(message: String) {
    MESSAGE.set(message);
}

/// 0, or 1 and a message.
fn outcome<E: ToString>(result: Result<(), E>) -> i32 {
    match result {
        Ok(()) => 0,
        Err(error) => {
            tell(error.to_string());
            1
        }
    }
}

/// What `read` makes of the player, or nothing if no scene is open.
fn of_player<R: Default>(read: impl FnOnce(&mut Player) -> R) -> R {
    with(|module| module.player.as_mut().map(read).unwrap_or_default())
}

/// Does something to the player that can fail.
fn try_player<E: ToString>(work: impl FnOnce(&mut Player) -> Result<(), E>) -> i32 {
    let tried = with(|module| module.player.as_mut().map(work).map(outcome));
    tried.unwrap_or_else(|| outcome(Err("no scene is open")))
}

/// The path that the input starts with, and the rest.
fn split_input(module: &mut Module, path_length: usize) -> Result<(String, Vec<u8>), String> {
    let mut input = std::mem::take(&mut module.input);
    if path_length > input.len() {
        return Err("the input is shorter than the path in it".into());
    }
    let rest = input.split_off(path_length);
    let path = String::from_utf8(input).map_err(|_| "the path is not UTF-8")?;
    Ok((path, rest))
}

/// The input as a text.
fn input_text(module: &mut Module) -> Result<String, &'static str> {
    let input = std::mem::take(&mut module.input);
    String::from_utf8(input).map_err(|_| "the input is not UTF-8")
}

/// To be called once, before anything else.
///
/// * `threads` — threads that scenes are stepped on, one or more; more than one only in the module that has them
#[unsafe(no_mangle)]
pub extern "C" fn pliant_start(threads: usize) -> i32 {
    std::panic::set_hook(Box::new(|panic| tell(panic.to_string())));
    use_clock();
    outcome(Pool::new(threads.max(1)).map(|pool| with(|module| module.pool = Some(pool))))
}

/// Room for so many bytes of input.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_input(length: usize) -> *mut u8 {
    with(|module| {
        module.input = vec![0; length];
        module.input.as_mut_ptr()
    })
}

/// The last message, UTF-8 of length [`pliant_message_length`].
#[unsafe(no_mangle)]
pub extern "C" fn pliant_message() -> *const u8 {
    MESSAGE.with_borrow(|message| message.as_ptr())
}

/// Its length [bytes].
#[unsafe(no_mangle)]
pub extern "C" fn pliant_message_length() -> usize {
    MESSAGE.with_borrow(String::len)
}

/// Adds a file that scenes may name: the input is its path, of this length, and its bytes.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_add_file(path_length: usize) -> i32 {
    with(|module| {
        let input = split_input(module, path_length);
        outcome(input.map(|(path, bytes)| module.files.add(Path::new(&path), bytes)))
    })
}

/// Forgets all files.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_clear_files() {
    with(|module| module.files.clear());
}

/// Opens a scene: the input is the path of its file, of this length, and its text. What is known of it becomes the
/// message, as JSON.
///
/// * `has_hand` — 1 if it is to be touched
#[unsafe(no_mangle)]
pub extern "C" fn pliant_open(path_length: usize, has_hand: i32) -> i32 {
    with(|module| {
        module.player = None;
        outcome(open_input(module, path_length, has_hand != 0))
    })
}

fn open_input(module: &mut Module, path_length: usize, has_hand: bool) -> Result<(), String> {
    let set = std::mem::take(&mut module.set);
    let (path, text) = split_input(module, path_length)?;
    let text = String::from_utf8(text).map_err(|_| "the scene is not UTF-8")?;
    let pool = module.pool.clone().ok_or("the module was not started")?;
    let opening = Opening {
        path: path.into(),
        text,
        files: module.files.clone(),
        overrides: Overrides {
            set,
            ..Overrides::default()
        },
        has_hand,
    };
    let player = Player::open(opening, pool);
    let player = player.map_err(|e| e.to_string())?;
    tell(facts(&player).to_string());
    module.player = Some(player);
    Ok(())
}

/// The next scene to be opened has a value in place of its own: the input is `KEY=VALUE`.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_set_at_opening() -> i32 {
    with(|module| {
        let assignment = input_text(module);
        outcome(assignment.map(|assignment| module.set.push(assignment)))
    })
}

/// Changes a value of the scene before the next frame: the input is `KEY=VALUE`. What is known of the scene then becomes
/// the message, as JSON. Returns 2 if it needs a new start.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_set() -> i32 {
    let assignment = match with(input_text) {
        Ok(assignment) => assignment,
        Err(error) => return outcome(Err(error)),
    };
    let mut needs_restart = false;
    let done = try_player(|player| {
        let applied = player.apply(Input::Set { assignment });
        needs_restart = matches!(
            applied,
            Err(PlayerError::Scene(RefusedChange::NeedsRestart { .. }))
        );
        applied.map(|()| tell(facts(player).to_string()))
    });
    if needs_restart { 2 } else { done }
}

/// The JSON Schema of scene files becomes the message.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_schema() {
    tell(pliant_scene::schema().to_string());
}

/// Advances by one substep of the frame that the scene is in; see [`pliant_is_between_frames`].
#[unsafe(no_mangle)]
pub extern "C" fn pliant_advance() -> i32 {
    try_player(|player| player.advance().map(|_| ()))
}

/// 1 if no frame is half done: then the scene can be touched.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_is_between_frames() -> i32 {
    of_player(|player| i32::from(player.is_between_frames()))
}

/// Takes hold of what is near a point [m].
#[unsafe(no_mangle)]
pub extern "C" fn pliant_grab(x: f64, y: f64, z: f64) -> i32 {
    try_player(|player| player.grab(DVec3::new(x, y, z)).map(|_| ()))
}

/// 1 if the hand holds something.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_is_holding() -> i32 {
    of_player(|player| i32::from(player.is_holding()))
}

/// Leads what is held to a point [m] in the next frame.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_move_to(x: f64, y: f64, z: f64) -> i32 {
    try_player(|player| player.apply(Input::Move { to: [x, y, z] }))
}

/// Lets go.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_release() -> i32 {
    try_player(|player| player.apply(Input::Release {}))
}

/// A ball of a body falls from a point [m], where there is room: the input is the body's name.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_pour(x: f64, y: f64, z: f64) -> i32 {
    match with(input_text) {
        Ok(body) => try_player(|player| {
            player.apply(Input::Pour {
                body,
                at: [x, y, z],
            })
        }),
        Err(error) => outcome(Err(error)),
    }
}

/// Cuts with a flat piece: the input is its four corners in turn, three numbers of eight bytes each [m].
#[unsafe(no_mangle)]
pub extern "C" fn pliant_cut() -> i32 {
    let input = with(|module| std::mem::take(&mut module.input));
    let numbers: Vec<f64> = input
        .as_chunks()
        .0
        .iter()
        .map(|bytes| f64::from_le_bytes(*bytes))
        .collect();
    let corners: Result<[[f64; 3]; 4], _> = numbers.as_chunks().0.try_into();
    match corners {
        Ok(corners) => try_player(|player| player.apply(Input::Cut { corners })),
        Err(_) => outcome(Err("a cut has four corners")),
    }
}

/// What was done since the start becomes the message, as a file of inputs.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_inputs() -> i32 {
    try_player(|player| {
        tell(player.log().text()?);
        Ok::<(), PlayerError>(())
    })
}

/// Starts again and does what a file of inputs says, which is the input.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_replay() -> i32 {
    let input = with(|module| std::mem::take(&mut module.input));
    try_player(|player| player.replay(InputLog::parse(&String::from_utf8_lossy(&input))?))
}

/// Writes the particles of the moment into the output: the input is the name of the format.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_write_particles() -> i32 {
    with(|module| {
        let format = String::from_utf8_lossy(&module.input).into_owned();
        let player = module.player.as_ref().ok_or("no scene is open".to_owned());
        let file = player.and_then(|p| particle_file(p, &format).map_err(|e| e.to_string()));
        outcome(file.map(|bytes| module.output = bytes))
    })
}

/// The output.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_output() -> *const u8 {
    with(|module| module.output.as_ptr())
}

/// Its length [bytes].
#[unsafe(no_mangle)]
pub extern "C" fn pliant_output_length() -> usize {
    with(|module| module.output.len())
}

/// Advances by one substep outside of frames.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_substep() -> i32 {
    try_player(Player::substep)
}

/// Advances by one frame, as the command does.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_frame() -> i32 {
    try_player(Player::frame)
}

/// Puts the scene back to its start.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_restart() {
    of_player(Player::restart);
}

/// Simulated time [s].
#[unsafe(no_mangle)]
pub extern "C" fn pliant_time() -> f64 {
    of_player(|player| player.time())
}

/// Substeps since the start.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_substeps() -> u64 {
    of_player(|player| player.substeps())
}

/// Hash of ids, positions and velocities.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_motion_hash() -> u64 {
    of_player(|player| player.hash().motion)
}

/// Hash of the whole state.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_state_hash() -> u64 {
    of_player(|player| player.hash().state)
}

/// Colours particles by something else: the input is its name.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_color_by() -> i32 {
    match with(input_text) {
        Ok(name) => try_player(|player| {
            player.color_by(&name);
            player.picture().map(|_| ())
        }),
        Err(error) => outcome(Err(error)),
    }
}

/// Makes a picture of the moment, in the bytes of `pliant_view::PageColumns`: see [`pliant_picture_bytes`].
#[unsafe(no_mangle)]
pub extern "C" fn pliant_picture() -> i32 {
    try_player(|player| player.picture().map(|_| ()))
}

/// The bytes of the last picture.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_picture_bytes() -> *const u8 {
    with(|module| {
        let player = module.player.as_ref();
        player.map_or(std::ptr::null(), |player| player.picture_bytes().as_ptr())
    })
}

/// How many they are.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_picture_length() -> usize {
    of_player(|player| player.picture_bytes().len())
}

/// Measures columns now and after each frame: the input is their names, a line each.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_plot() -> i32 {
    match with(input_text) {
        Ok(names) => try_player(|player| player.plot(names.lines().map(str::to_owned).collect())),
        Err(error) => outcome(Err(error)),
    }
}

/// Takes what was measured since the last time into the output, in numbers of eight bytes: of each moment its time [s]
/// and a value of each column.
#[unsafe(no_mangle)]
pub extern "C" fn pliant_take_rows() {
    with(|module| {
        let rows = module.player.as_mut().map(Player::take_rows);
        let numbers = rows.unwrap_or_default().into_iter();
        module.output = numbers.flat_map(f64::to_le_bytes).collect();
    });
}
