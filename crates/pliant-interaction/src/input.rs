//! What can be done to a scene while it runs, and a log of what was done.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Something that is done to a scene between two frames.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Input {
    /// Springs from the hand take hold of particles where they are.
    Grab {
        /// Stable ids.
        particles: Vec<u32>,
        /// Where each is from the hand's point [m].
        local: Vec<[f64; 3]>,
        /// The hand's point [m].
        at: [f64; 3],
        /// Of all springs together [N/m], > 0; they share it in proportion to the masses.
        stiffness: f64,
    },
    /// A spring from the hand takes hold of a point of a rigid body.
    GrabBody {
        /// The body's name.
        body: String,
        /// The point in the coordinates of the body's shape [m].
        point: [f64; 3],
        /// The hand's point, where that is [m].
        at: [f64; 3],
        /// Of the spring [N/m], > 0.
        stiffness: f64,
    },
    /// The hand moves to a point during the next frame.
    Move {
        /// The point [m].
        to: [f64; 3],
    },
    /// The hand lets go.
    Release {},
    /// A blade is there for a moment, and parts what it crosses.
    Cut {
        /// Corners of a flat piece, in turn [m].
        corners: [[f64; 3]; 4],
    },
    /// A ball of new particles of a body falls from a point, where there is room for them.
    Pour {
        /// The body's name.
        body: String,
        /// The middle of the ball [m].
        at: [f64; 3],
    },
    /// A value of the scene changes.
    Set {
        /// `KEY=VALUE`, as `--set` takes it.
        assignment: String,
    },
    /// The scene goes on with the constants of another text of it.
    Scene {
        /// The text.
        text: String,
    },
}

/// An input and when it came.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimedInput {
    /// The frame after which it acts; 1 is the initial state.
    pub frame: u32,
    /// What was done.
    #[serde(flatten)]
    pub input: Input,
}

/// A scene and everything that was done to it since its start: enough to run it again to the same bits.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InputLog {
    /// The scene file.
    pub scene: PathBuf,
    /// The level of detail, if one was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Values that replace those of the file, `KEY=VALUE`.
    #[serde(default)]
    pub set: Vec<String>,
    /// What was done, in order.
    #[serde(default, rename = "input")]
    pub inputs: Vec<TimedInput>,
}

/// Why a text is no log of inputs.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// It holds something else; the message has its line.
    #[error("{0}")]
    Format(String),
    /// Its frames go back.
    #[error("its frames are not in order")]
    Order,
}

const HEADER: &str = "# What was done to a scene while it ran: `pliant live --replay FILE` does it again in a window,\n\
                      # `pliant replay FILE` in a run with pictures and a film, to the same bits.\n";

impl InputLog {
    /// Reads a text.
    ///
    /// # Errors
    /// If it holds something else.
    pub fn parse(text: &str) -> Result<Self, LogError> {
        let log: Self = toml::from_str(text).map_err(|error| {
            let told = error.to_string();
            LogError::Format(match unknown_input(text) {
                Some(unknown) => told.replace(error.message(), &unknown),
                None => told,
            })
        })?;
        match log.inputs.is_sorted_by_key(|timed| timed.frame) {
            true => Ok(log),
            false => Err(LogError::Order),
        }
    }

    /// The frame after which the last input acts, 0 if there is none.
    pub fn last_frame(&self) -> u32 {
        self.inputs.last().map_or(0, |timed| timed.frame)
    }

    /// The text that [`Self::parse`] reads.
    ///
    /// # Errors
    /// If the path of the scene is not UTF-8.
    pub fn text(&self) -> Result<String, LogError> {
        let body = toml::to_string(self).map_err(|e| LogError::Format(e.to_string()))?;
        Ok(format!("{HEADER}{body}"))
    }
}

/// Inputs that are done again, each after its frame.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    /// What is left, the next one last.
    left: Vec<TimedInput>,
}

impl Replay {
    /// Of a log, from the start on.
    pub fn of(log: InputLog) -> Self {
        let mut left = log.inputs;
        left.reverse();
        Self { left }
    }

    /// The next input that acts before the frame after `frame`, the last one reached; call it until there is none.
    pub fn next_after(&mut self, frame: u32) -> Option<Input> {
        let timed = self.left.pop_if(|timed| timed.frame <= frame)?;
        Some(timed.input)
    }

    /// True once there is none left.
    pub fn is_over(&self) -> bool {
        self.left.is_empty()
    }
}

/// Keys of the inputs beside their frame.
const INPUTS: [&str; 8] = [
    "grab",
    "grab_body",
    "move",
    "release",
    "cut",
    "pour",
    "set",
    "scene",
];

/// What is wrong with the first input that is none of those, which the reader of the text does not tell.
fn unknown_input(text: &str) -> Option<String> {
    let table: toml::Table = text.parse().ok()?;
    let inputs = table.get("input")?.as_array()?;
    inputs.iter().enumerate().find_map(|(place, input)| {
        let mut keys = input.as_table()?.keys().filter(|key| *key != "frame");
        let unknown = keys.find(|key| !INPUTS.contains(&key.as_str()))?;
        let known = INPUTS.join(", ");
        let number = place + 1;
        Some(format!(
            "`{unknown}` of input {number} is no input; there are {known}"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_that_is_none_is_named_with_those_that_are() {
        let log = |input: &str| format!("scene = \"a.toml\"\n[[input]]\nframe = 1\n{input}\n");
        assert!(InputLog::parse(&log("release = {}")).is_ok());
        let error = InputLog::parse(&log("relese = {}"))
            .expect_err("misspelt")
            .to_string();
        assert!(
            error.contains("`relese` of input 1") && error.contains("release"),
            "{error}"
        );
        assert!(
            error.contains("line 2") && !error.contains("variant"),
            "{error}"
        );
        let error = InputLog::parse(&log("move = { to = 3 }"))
            .expect_err("no point")
            .to_string();
        assert!(!error.contains("is no input"), "{error}");
    }

    #[test]
    fn the_known_inputs_are_all() {
        let inputs = [
            Input::Grab {
                particles: vec![],
                local: vec![],
                at: [0.0; 3],
                stiffness: 1.0,
            },
            Input::GrabBody {
                body: String::new(),
                point: [0.0; 3],
                at: [0.0; 3],
                stiffness: 1.0,
            },
            Input::Move { to: [0.0; 3] },
            Input::Release {},
            Input::Cut {
                corners: [[0.0; 3]; 4],
            },
            Input::Pour {
                body: String::new(),
                at: [0.0; 3],
            },
            Input::Set {
                assignment: String::new(),
            },
            Input::Scene {
                text: String::new(),
            },
        ];
        let named = inputs.map(|input| {
            let table = toml::Table::try_from(TimedInput { frame: 1, input }).expect("a table");
            let mut keys = table.keys().filter(|key| *key != "frame");
            keys.next().expect("its name").clone()
        });
        assert_eq!(named, INPUTS);
    }
}
