//! The particles of the moment as a file, as `pliant run` writes it.

use std::io;

use pliant_core::measure::FrameBuffers;
use pliant_io::export::{Exporter, Moment, SceneFacts, UpAxis, exporter, write_moment};

use crate::Player;

/// The exporters of a page: those whose files hold particles alone, and nothing of the scenery.
const FORMATS: [&str; 2] = ["ply", "vtk"];

/// The bytes of a particle file of a format, by its name in scene files.
///
/// # Errors
/// If the page has no such format, or a number is not finite.
pub fn particle_file(player: &Player, format: &str) -> io::Result<Vec<u8>> {
    let exporter = known(format)?;
    let mut buffers = FrameBuffers::default();
    buffers.update(player.world());
    let scene = SceneFacts {
        frame_rate: player.scene().frame_rate(),
        up: match player.scene().up().z > 0.5 {
            true => UpAxis::Z,
            false => UpAxis::Y,
        },
        ..SceneFacts::default()
    };
    let moment = Moment {
        frame: &buffers.frame(),
        surface: None,
        scene: &scene,
    };
    let mut bytes = Vec::new();
    write_moment(exporter, &moment, &mut bytes)?;
    Ok(bytes)
}

fn known(format: &str) -> io::Result<&'static Exporter> {
    let found = FORMATS.iter().find(|name| **name == format);
    let found = found.and_then(|name| exporter(name));
    let unknown = || format!("a page writes {}, not {format:?}", FORMATS.join(" and "));
    found.ok_or_else(|| io::Error::new(io::ErrorKind::Unsupported, unknown()))
}

#[cfg(test)]
mod tests {
    use pliant_core::parallel::Pool;

    use super::*;
    use crate::Opening;

    #[test]
    fn files_of_known_formats_are_written_and_others_refused() {
        let text = "scene.duration = 1\nmaterial.rubber.preset = \"rubber\"\n[[body]]\nname = \"block\"\n\
                    material = \"rubber\"\nshape = { box = { size = [0.1, 0.1, 0.1] } }\nspacing = 0.05\n";
        let opening = Opening {
            text: text.to_owned(),
            ..Opening::default()
        };
        let player = Player::open(opening, Pool::surrounding()).expect("a sound scene");
        let ply = particle_file(&player, "ply").expect("a file");
        assert!(ply.starts_with(b"ply\n") && ply.len() > 8 * 40);
        assert!(particle_file(&player, "vtk").is_ok());
        let refused = particle_file(&player, "usd").expect_err("it holds the scenery");
        assert!(refused.to_string().contains("ply and vtk"), "{refused}");
    }
}
