//! An mp4 by the program `ffmpeg`.

use std::error::Error;
use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::{FilmError, Reel};
use crate::Picture;

/// An `ffmpeg` that works, and the codec it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ffmpeg {
    program: OsString,
    codec: &'static str,
}

/// Codecs that go into an mp4, the one that most players show first; with options for good quality.
const CODECS: [(&str, &[&str]); 4] = [
    ("libx264", &["-preset", "medium", "-crf", "18"]),
    ("libopenh264", &["-b:v", "8M"]),
    ("h264_videotoolbox", &["-b:v", "8M"]),
    ("mpeg4", &["-q:v", "3"]),
];

impl Ffmpeg {
    /// The `ffmpeg` on the path, if there is one with a codec for mp4.
    pub fn find() -> Option<Self> {
        Self::at("ffmpeg")
    }

    /// The program of this name or path, if it is an ffmpeg with a codec for mp4.
    pub fn at(program: impl Into<OsString>) -> Option<Self> {
        let program = program.into();
        let output = Command::new(&program)
            .args(["-hide_banner", "-encoders"])
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output()
            .ok()?;
        let codec = best_codec(&String::from_utf8_lossy(&output.stdout))?;
        Some(Self { program, codec })
    }

    /// Writes an mp4 to `path`, whatever its name ends in; an odd last row or column is cut.
    ///
    /// # Errors
    /// [`FilmError`] for no or unequal pictures, or with ffmpeg's own words if it refuses. What lies
    /// at `path` is then worthless.
    pub fn write_mp4<E: Into<Box<dyn Error + Send + Sync>>>(
        &self,
        path: &Path,
        frames_per_second: f64,
        pictures: impl IntoIterator<Item = Result<Picture, E>>,
    ) -> Result<(), FilmError> {
        let mut reel = Reel::new(pictures.into_iter(), frames_per_second)?;
        let Some(first) = reel.next()? else {
            return Err(FilmError::Empty);
        };
        let mut child = self.start(&first, frames_per_second, path)?;
        let fed = feed(&mut child, first, &mut reel);
        let output = child
            .wait_with_output()
            .map_err(|e| FilmError::Ffmpeg(e.to_string()))?;
        let said = String::from_utf8_lossy(&output.stderr);
        match (output.status.success(), fed) {
            (true, fed) => fed,
            (false, Err(fault @ (FilmError::Picture { .. } | FilmError::Size { .. }))) => {
                Err(fault)
            }
            (false, _) => Err(FilmError::Ffmpeg(last_line(&said).to_owned())),
        }
    }

    fn start(&self, first: &Picture, rate: f64, path: &Path) -> Result<Child, FilmError> {
        Command::new(&self.program)
            .args(arguments(first, rate, self.codec))
            .arg(path)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|e| FilmError::Ffmpeg(e.to_string()))
    }
}

/// Gives ffmpeg all pictures and then the end of its input.
fn feed<I, E>(child: &mut Child, first: Picture, reel: &mut Reel<I>) -> Result<(), FilmError>
where
    I: Iterator<Item = Result<Picture, E>>,
    E: Into<Box<dyn Error + Send + Sync>>,
{
    let Some(mut input) = child.stdin.take() else {
        return Err(FilmError::Ffmpeg("it takes no input".to_owned()));
    };
    let mut next = Some(first);
    while let Some(picture) = next {
        input.write_all(&picture.rgb)?;
        next = reel.next()?;
    }
    Ok(())
}

fn best_codec(listing: &str) -> Option<&'static str> {
    let has = |name: &str| {
        listing
            .lines()
            .any(|line| line.split_whitespace().nth(1) == Some(name))
    };
    CODECS.iter().map(|c| c.0).find(|name| has(name))
}

fn arguments(first: &Picture, rate: f64, codec: &str) -> Vec<String> {
    let size = format!("{}x{}", first.width, first.height);
    let rate = rate.to_string();
    let quality = CODECS
        .iter()
        .find(|c| c.0 == codec)
        .map_or(&[][..], |c| c.1);
    let input = [
        "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", &size, "-r", &rate, "-i", "-",
    ];
    let even = ["-vf", "crop=trunc(iw/2)*2:trunc(ih/2)*2"];
    let output = [
        "-an",
        "-pix_fmt",
        "yuv420p",
        "-movflags",
        "+faststart",
        "-f",
        "mp4",
    ];
    ["-y", "-loglevel", "error"]
        .iter()
        .chain(&input)
        .chain(&even)
        .chain(&["-c:v", codec])
        .chain(quality)
        .chain(&output)
        .map(|argument| (*argument).to_owned())
        .collect()
}

fn last_line(text: &str) -> &str {
    text.lines()
        .rev()
        .map(str::trim)
        .find(|line| !line.is_empty())
        .unwrap_or("it stopped without a reason")
}

#[cfg(test)]
mod tests {
    use super::*;

    const LISTING: &str = " V....D mpeg4  MPEG-4 part 2\n V....D libx264  H.264\n A....D aac  AAC";

    #[test]
    fn h264_is_preferred_and_mpeg4_is_the_last_resort() {
        assert_eq!(best_codec(LISTING), Some("libx264"));
        assert_eq!(best_codec(" V....D mpeg4  MPEG-4 part 2"), Some("mpeg4"));
        assert_eq!(best_codec(" A....D aac  AAC, not libx264"), None);
    }

    #[test]
    fn arguments_state_the_size_of_the_raw_frames() {
        let list = arguments(&Picture::filled(640, 360, [0; 3]), 24.0, "libx264").join(" ");
        assert!(list.contains("-s 640x360 -r 24 -i -"));
        assert!(list.contains("-c:v libx264") && list.contains("+faststart -f mp4"));
    }

    #[test]
    fn program_that_does_not_exist_is_not_found() {
        assert_eq!(Ffmpeg::at("no-such-program-as-this"), None);
    }
}
