//! What a server sends a window of a run, and how it is read again. What is malformed is an error, whatever it is, and
//! memory is taken in proportion to what was received.
//!
//! | asked for | answer |
//! | --- | --- |
//! | `runs.json` | what is known of each run: [`facts`] |
//! | `runs/K/list?after=N` | the first frame that there is, how many there are, and those after a number: [`listing`] |
//! | `runs/K/tables` | columns of what was measured: [`tables`] |
//! | `runs/K/FRAME/window?LOOK` | what is to be seen in a frame: [`snapshot`], its colliders [`scenery`], `LOOK` is [`look`] |
//! | `runs/K/FRAME/particles/ID` | a particle: [`particle`] |

pub(crate) mod bytes;
pub(crate) mod facts;
pub(crate) mod json;
pub(crate) mod listing;
pub(crate) mod look;
pub(crate) mod particle;
pub(crate) mod scenery;
pub(crate) mod snapshot;
pub(crate) mod tables;
