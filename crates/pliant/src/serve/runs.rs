//! Runs as a page and a window ask for them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pliant_view::{PageColumns, SceneFacts};
use serde_json::Value;

use super::http::{Answer, Request};
use crate::run_source::wire::scenery::SceneryOut;
use crate::run_source::wire::{facts, listing, look, particle, snapshot, tables};
use crate::run_source::{ReadError, RunSource};

/// Bytes of any kind.
const BYTES: &str = "application/octet-stream";
const JSON: &str = "application/json";

/// A run that is shown.
pub(super) struct ServedRun {
    facts: Arc<SceneFacts>,
    /// One request after the other reads with it.
    desk: Mutex<Desk>,
}

/// What frames are read with.
struct Desk {
    source: Box<dyn RunSource>,
    /// Frames for a page.
    columns: PageColumns,
    /// The same for a window.
    scenery: SceneryOut,
}

impl ServedRun {
    pub(super) fn of(source: Box<dyn RunSource>) -> Self {
        let facts = source.facts();
        let desk = Mutex::new(Desk {
            source,
            columns: PageColumns::default(),
            scenery: SceneryOut::of(&facts.bounds),
        });
        Self { facts, desk }
    }

    /// What is known of it, and which frames there are now.
    pub(super) fn told(&self) -> Value {
        // One that cannot be listed for a moment has no frames.
        let listing = self.desk().source.list().unwrap_or_default();
        facts::encode(&self.facts, &listing)
    }

    /// The answer to what follows on its number in the path of a request.
    pub(super) fn answer(&self, path: &str, request: &Request) -> Answer {
        let parts: Vec<&str> = path.split('/').collect();
        let number = |part: &str| part.parse::<u32>().ok();
        let answered = match parts.as_slice() {
            ["list"] => self.list(&request.query),
            ["tables"] => self.tables(),
            [frame] => number(frame).map(|frame| self.columns(frame, &request.query)),
            [frame, "window"] => number(frame).map(|frame| self.window(frame, &request.query)),
            [frame, "particles", id] => number(frame)
                .zip(number(id))
                .map(|(frame, id)| self.particle(frame, id)),
            _ => None,
        };
        match answered {
            Some(Ok(answer)) => answer,
            Some(Err(ReadError::Coloring(why))) => Answer::refusal(409, &why),
            Some(Err(ReadError::Failed(why))) => Answer::refusal(404, &why),
            None => Answer::refusal(404, "there is no such frame"),
        }
    }

    fn list(&self, query: &str) -> Option<Result<Answer, ReadError>> {
        let after = query.strip_prefix("after=")?.parse().ok()?;
        let listing = self.desk().source.list();
        let told = listing.map(|listing| listing::encode(&listing, after).to_string());
        Some(told.map(|text| Answer::of(text.into_bytes(), JSON)))
    }

    fn tables(&self) -> Option<Result<Answer, ReadError>> {
        let read = self.desk().source.tables();
        Some(read.map(|read| Answer::of(tables::encode(&read), BYTES)))
    }

    /// A frame as a page draws it.
    fn columns(&self, frame: u32, query: &str) -> Result<Answer, ReadError> {
        let (painted, _) = look::decode(query).map_err(ReadError::failed)?;
        let mut desk = self.desk();
        let shown = desk.source.snapshot(frame, &painted)?;
        let mut bytes = Vec::new();
        desk.columns.add(&mut bytes, &shown, &self.facts.bounds);
        Ok(Answer::of(bytes, BYTES))
    }

    /// A frame as a window draws it.
    fn window(&self, frame: u32, query: &str) -> Result<Answer, ReadError> {
        let (painted, known) = look::decode(query).map_err(ReadError::failed)?;
        let mut desk = self.desk();
        let shown = desk.source.snapshot(frame, &painted)?;
        let bytes = snapshot::encode(&shown, &mut desk.scenery, known);
        Ok(Answer::of(bytes, BYTES))
    }

    fn particle(&self, frame: u32, id: u32) -> Result<Answer, ReadError> {
        let read = self.desk().source.particle(frame, id)?;
        Ok(Answer::of(particle::encode(read.as_ref()), BYTES))
    }

    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
