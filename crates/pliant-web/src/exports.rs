//! The functions that a page calls, in the plain interface of C. Texts and files go in through one buffer; columns
//! are read from the module's memory, at addresses that hold until the next call.
//!
//! Functions that can fail return 0 if they did not, and 1 if they did; then [`message`] says why. A panic ends in a
//! trap, and leaves its message too.
//!
//! `unsafe` is in this file for its attribute only, which says that no other function of the program has the name.
#![allow(unsafe_code)]

use std::cell::RefCell;
use std::path::Path;
use std::time::Duration;

use pliant_interaction::{Input, InputLog};
use pliant_math::DVec3;

use crate::{MemoryFiles, Player, PlayerError, View, facts, particle_file};

/// What the functions work on. A module runs on one thread.
#[derive(Default)]
struct Module {
    /// What a page has put in.
    input: Vec<u8>,
    /// A file that a page takes out.
    output: Vec<u8>,
    files: MemoryFiles,
    player: Option<Player>,
}

thread_local! {
    static MODULE: RefCell<Module> = RefCell::default();
    /// Apart from the rest, which is in use while something panics.
    static MESSAGE: RefCell<String> = RefCell::default();
}

#[link(wasm_import_module = "env")]
unsafe extern "C" {
    /// Time since some moment that stays the same [ms].
    safe fn now() -> f64;
}

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

/// The address of a column, or of none if no scene is open.
fn of_view<T>(column: impl FnOnce(&View) -> *const T) -> *const T {
    with(|module| {
        let player = module.player.as_ref();
        player.map_or(std::ptr::null(), |player| column(player.view()))
    })
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

/// To be called once, before anything else.
#[unsafe(no_mangle)]
pub extern "C" fn start() {
    std::panic::set_hook(Box::new(|panic| tell(panic.to_string())));
    pliant_core::clock::set_clock(|| Duration::from_secs_f64(now().max(0.0) * 1e-3));
}

/// Room for so many bytes of input.
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    with(|module| {
        module.input = vec![0; length];
        module.input.as_mut_ptr()
    })
}

/// The last message, UTF-8 of length [`message_length`].
#[unsafe(no_mangle)]
pub extern "C" fn message() -> *const u8 {
    MESSAGE.with_borrow(|message| message.as_ptr())
}

/// Its length [bytes].
#[unsafe(no_mangle)]
pub extern "C" fn message_length() -> usize {
    MESSAGE.with_borrow(String::len)
}

/// Adds a file that scenes may name: the input is its path, of this length, and its bytes.
#[unsafe(no_mangle)]
pub extern "C" fn add_file(path_length: usize) -> i32 {
    with(|module| {
        let input = split_input(module, path_length);
        outcome(input.map(|(path, bytes)| module.files.add(Path::new(&path), bytes)))
    })
}

/// Forgets all files.
#[unsafe(no_mangle)]
pub extern "C" fn clear_files() {
    with(|module| module.files.clear());
}

/// Opens a scene: the input is the path of its file, of this length, and its text. What is known of it becomes the
/// message, as JSON.
///
/// * `has_hand` — 1 if it is to be touched
#[unsafe(no_mangle)]
pub extern "C" fn open(path_length: usize, has_hand: i32) -> i32 {
    with(|module| {
        module.player = None;
        outcome(open_input(module, path_length, has_hand != 0))
    })
}

fn open_input(module: &mut Module, path_length: usize, has_hand: bool) -> Result<(), String> {
    let (path, text) = split_input(module, path_length)?;
    let text = String::from_utf8(text).map_err(|_| "the scene is not UTF-8")?;
    let (path, files) = (Path::new(&path), &module.files);
    let player = match has_hand {
        true => Player::open_to_touch(&text, path, files),
        false => Player::open(&text, path, files),
    };
    let player = player.map_err(|e| e.to_string())?;
    tell(facts(&player).to_string());
    module.player = Some(player);
    Ok(())
}

/// The JSON Schema of scene files becomes the message.
#[unsafe(no_mangle)]
pub extern "C" fn schema() {
    tell(pliant_scene::schema().to_string());
}

/// Advances by one substep of the frame that the scene is in; see [`is_between_frames`].
#[unsafe(no_mangle)]
pub extern "C" fn advance() -> i32 {
    try_player(|player| player.advance().map(|_| ()))
}

/// 1 if no frame is half done: then the scene can be touched.
#[unsafe(no_mangle)]
pub extern "C" fn is_between_frames() -> i32 {
    of_player(|player| i32::from(player.is_between_frames()))
}

/// Takes hold of what is near a point [m].
#[unsafe(no_mangle)]
pub extern "C" fn grab(x: f64, y: f64, z: f64) -> i32 {
    try_player(|player| player.grab(DVec3::new(x, y, z)).map(|_| ()))
}

/// 1 if the hand holds something.
#[unsafe(no_mangle)]
pub extern "C" fn is_holding() -> i32 {
    of_player(|player| i32::from(player.is_holding()))
}

/// Leads what is held to a point [m] in the next frame.
#[unsafe(no_mangle)]
pub extern "C" fn move_to(x: f64, y: f64, z: f64) -> i32 {
    try_player(|player| player.apply(Input::Move { to: [x, y, z] }))
}

/// Lets go.
#[unsafe(no_mangle)]
pub extern "C" fn release() -> i32 {
    try_player(|player| player.apply(Input::Release {}))
}

/// A ball of a body falls from a point [m], where there is room: the input is the body's name.
#[unsafe(no_mangle)]
pub extern "C" fn pour(x: f64, y: f64, z: f64) -> i32 {
    let input = with(|module| std::mem::take(&mut module.input));
    match String::from_utf8(input) {
        Ok(body) => try_player(|player| {
            player.apply(Input::Pour {
                body,
                at: [x, y, z],
            })
        }),
        Err(_) => outcome(Err("the name of a body is UTF-8")),
    }
}

/// Cuts with a flat piece: the input is its four corners in turn, three numbers of eight bytes each [m].
#[unsafe(no_mangle)]
pub extern "C" fn cut() -> i32 {
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
pub extern "C" fn inputs() -> i32 {
    try_player(|player| {
        tell(player.log().text()?);
        Ok::<(), PlayerError>(())
    })
}

/// Starts again and does what a file of inputs says, which is the input.
#[unsafe(no_mangle)]
pub extern "C" fn replay() -> i32 {
    let input = with(|module| std::mem::take(&mut module.input));
    try_player(|player| {
        player.replay(InputLog::parse(&String::from_utf8_lossy(&input))?);
        Ok::<(), PlayerError>(())
    })
}

/// Writes the particles of the moment into the output: the input is the name of the format.
#[unsafe(no_mangle)]
pub extern "C" fn write_particles() -> i32 {
    with(|module| {
        let format = String::from_utf8_lossy(&module.input).into_owned();
        let player = module.player.as_ref().ok_or("no scene is open".to_owned());
        let file = player.and_then(|p| particle_file(p, &format).map_err(|e| e.to_string()));
        outcome(file.map(|bytes| module.output = bytes))
    })
}

/// The output.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    with(|module| module.output.as_ptr())
}

/// Its length [bytes].
#[unsafe(no_mangle)]
pub extern "C" fn output_length() -> usize {
    with(|module| module.output.len())
}

/// Advances by one substep outside of frames.
#[unsafe(no_mangle)]
pub extern "C" fn substep() -> i32 {
    try_player(Player::substep)
}

/// Advances by one frame, as the command does.
#[unsafe(no_mangle)]
pub extern "C" fn frame() -> i32 {
    try_player(Player::frame)
}

/// Puts the scene back to its start.
#[unsafe(no_mangle)]
pub extern "C" fn restart() {
    of_player(Player::restart);
}

/// Simulated time [s].
#[unsafe(no_mangle)]
pub extern "C" fn time() -> f64 {
    of_player(|player| player.time())
}

/// Time that the scene lasts [s].
#[unsafe(no_mangle)]
pub extern "C" fn duration() -> f64 {
    of_player(|player| player.scene().duration())
}

/// Substeps since the start.
#[unsafe(no_mangle)]
pub extern "C" fn substeps() -> u64 {
    of_player(|player| player.substeps())
}

/// Hash of ids, positions and velocities.
#[unsafe(no_mangle)]
pub extern "C" fn motion_hash() -> u64 {
    of_player(|player| player.hash().motion)
}

/// Hash of the whole state.
#[unsafe(no_mangle)]
pub extern "C" fn state_hash() -> u64 {
    of_player(|player| player.hash().state)
}

/// Takes the particles as they are now into the columns below, and tells how many there are.
#[unsafe(no_mangle)]
pub extern "C" fn view() -> usize {
    of_player(|player| player.update_view().spheres.len())
}

/// Four numbers a particle: its position and its radius [m].
#[unsafe(no_mangle)]
pub extern "C" fn spheres() -> *const [f32; 4] {
    of_view(|view| view.spheres.as_ptr())
}

/// Three numbers a particle: its velocity [m/s].
#[unsafe(no_mangle)]
pub extern "C" fn velocities() -> *const [f32; 3] {
    of_view(|view| view.velocities.as_ptr())
}

/// The body of each particle.
#[unsafe(no_mangle)]
pub extern "C" fn bodies() -> *const u32 {
    of_view(|view| view.bodies.as_ptr())
}

/// Four bytes a particle: red, green, blue in sRGB, and 255, or 0 if its body is not shown by spheres.
#[unsafe(no_mangle)]
pub extern "C" fn colors() -> *const [u8; 4] {
    of_view(|view| view.colors.as_ptr())
}

/// How many triangles of cloth there are.
#[unsafe(no_mangle)]
pub extern "C" fn triangle_count() -> usize {
    of_player(|player| player.view().triangles.len())
}

/// The particles at the corners of each.
#[unsafe(no_mangle)]
pub extern "C" fn triangles() -> *const [u32; 3] {
    of_view(|view| view.triangles.as_ptr())
}

/// How many corners the triangles of colliders and rigid bodies have.
#[unsafe(no_mangle)]
pub extern "C" fn wall_corner_count() -> usize {
    of_player(|player| player.view().walls.corners.len())
}

/// Three numbers a corner: where it is [m].
#[unsafe(no_mangle)]
pub extern "C" fn wall_corners() -> *const [f32; 3] {
    of_view(|view| view.walls.corners.as_ptr())
}

/// Four bytes a corner: red, green, blue in sRGB, and the opacity.
#[unsafe(no_mangle)]
pub extern "C" fn wall_colors() -> *const [u8; 4] {
    of_view(|view| view.walls.colors.as_ptr())
}

/// The first of the corners of rigid bodies among them.
#[unsafe(no_mangle)]
pub extern "C" fn first_rigid_corner() -> usize {
    of_player(|player| player.view().walls.of_rigid_bodies.start)
}

/// How many corners rigid bodies have.
#[unsafe(no_mangle)]
pub extern "C" fn rigid_corner_count() -> usize {
    of_player(|player| player.view().walls.of_rigid_bodies.len())
}

/// The axis that points up: 1 is y, 2 is z.
#[unsafe(no_mangle)]
pub extern "C" fn up_axis() -> u32 {
    of_player(|player| if player.scene().up().z > 0.5 { 2 } else { 1 })
}
