//! A run that a server shows, by HTTP: `pliant serve RUN`, or a simulation that goes on in another program.

mod http;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde_json::Value;

use super::place::RunAddress;
use super::wire::{
    bytes::Malformed, facts, json, listing, look, particle, scenery, snapshot, tables,
};
use super::{Listing, Particle, ReadError, RunSource, Tables};
use crate::live::{Painted, SceneFacts, Snapshot};
use http::{Client, HttpError};

/// Bytes that what is known of runs may have: half a million frames. JSON takes sixteen times as much once it is read.
const MOST_KNOWN: u64 = 16 << 20;

/// Bytes that tables may have.
const MOST_OF_TABLES: u64 = 64 << 20;

/// Bytes that a frame may have: forty million particles.
const MOST_OF_FRAME: u64 = 1 << 30;

/// Bytes that a particle may have.
const MOST_OF_PARTICLE: u64 = 1 << 20;

/// A run at an address.
pub(crate) struct AddressRun {
    address: RunAddress,
    client: Client,
    facts: Arc<SceneFacts>,
    listing: Listing,
    scenery: scenery::SceneryIn,
}

impl AddressRun {
    /// Asks what is known of a run.
    ///
    /// * `is_given_up` — once it is true, nothing is waited for any more
    ///
    /// # Errors
    /// If nothing answers there, or no server of runs.
    pub fn open(address: RunAddress, is_given_up: Arc<AtomicBool>) -> Result<Self, ReadError> {
        let client = Client::of(&address, is_given_up);
        let told = client.get("runs.json", MOST_KNOWN);
        let told = told.map_err(|error| unanswered(&address, error))?;
        let malformed = |error| malformed(&address, "what it tells of runs", error);
        let told = json::parse(&told).map_err(malformed)?;
        let runs = told.as_array().map_or(&[][..], Vec::as_slice);
        let Some(own) = runs.get(address.run) else {
            return Err(ReadError::Failed(no_run(&address, runs.len())));
        };
        let facts = facts::decode(own).map_err(malformed)?;
        Ok(Self {
            client,
            facts: Arc::new(facts),
            listing: Listing::default(),
            scenery: scenery::SceneryIn::default(),
            address,
        })
    }

    /// What a path of the run leads to.
    fn get(&self, path: &str, most_bytes: u64) -> Result<Vec<u8>, ReadError> {
        let path = format!("runs/{}/{path}", self.address.run);
        let got = self.client.get(&path, most_bytes);
        got.map_err(|error| unanswered(&self.address, error))
    }

    /// What the server tells of the frames after a number.
    fn told_after(&self, after: u32) -> Result<Value, ReadError> {
        let told = self.get(&format!("list?after={after}"), MOST_KNOWN)?;
        json::parse(&told).map_err(|error| self.malformed("its list of frames", error))
    }

    fn malformed(&self, what: &str, error: Malformed) -> ReadError {
        malformed(&self.address, what, error)
    }
}

fn no_run(address: &RunAddress, count: usize) -> String {
    let run = address.run;
    match count {
        0 => format!("{address} shows no runs: `pliant serve RUN` does"),
        1 => format!("{address} shows one run, `#run=0`, and no run {run}"),
        _ => format!("{address} shows {count} runs, counted from 0, and no run {run}"),
    }
}

fn unanswered(address: &RunAddress, error: HttpError) -> ReadError {
    match error {
        // What can be seen in other frames.
        HttpError::Refused { status: 409, why } => ReadError::Coloring(why),
        HttpError::Refused { status, why } => {
            ReadError::Failed(format!("{address} refuses ({status}): {why}"))
        }
        HttpError::Unreachable(why) => ReadError::Failed(format!(
            "nothing answers at {address}: {why}; the program that shows the run may have ended"
        )),
        HttpError::Bad(why) => ReadError::Failed(format!("{address} answers wrongly: {why}")),
    }
}

fn malformed(address: &RunAddress, what: &str, Malformed(why): Malformed) -> ReadError {
    ReadError::Failed(format!(
        "{address} sends what cannot be read: {what}: {why}"
    ))
}

impl RunSource for AddressRun {
    fn facts(&self) -> Arc<SceneFacts> {
        Arc::clone(&self.facts)
    }

    fn list(&mut self) -> Result<Listing, ReadError> {
        let known = self.listing.frames.last().copied();
        let told = self.told_after(known.unwrap_or(0))?;
        let updated = listing::update(&mut self.listing, &told);
        let is_whole = updated.map_err(|error| self.malformed("its list of frames", error))?;
        if !is_whole {
            // The run was begun anew.
            self.listing = Listing::default();
            let told = self.told_after(0)?;
            let updated = listing::update(&mut self.listing, &told);
            updated.map_err(|error| self.malformed("its list of frames", error))?;
        }
        Ok(self.listing.clone())
    }

    fn tables(&mut self) -> Result<Tables, ReadError> {
        if self.facts.columns.is_empty() {
            return Ok(Tables::new());
        }
        let bytes = self.get("tables", MOST_OF_TABLES)?;
        tables::decode(&bytes).map_err(|error| self.malformed("its tables", error))
    }

    fn snapshot(&mut self, number: u32, painted: &Painted) -> Result<Snapshot, ReadError> {
        let look = look::encode(painted, self.scenery.known);
        let bytes = self.get(&format!("{number}/window?{look}"), MOST_OF_FRAME)?;
        let read = snapshot::decode(&bytes, &mut self.scenery);
        let read = read.and_then(|shown| match shown.frame == number {
            true => Ok(shown),
            false => Err(Malformed(format!("it is frame {}", shown.frame))),
        });
        read.map_err(|error| self.malformed(&format!("frame {number}"), error))
    }

    fn particle(&mut self, number: u32, id: u32) -> Result<Option<Particle>, ReadError> {
        let bytes = self.get(&format!("{number}/particles/{id}"), MOST_OF_PARTICLE)?;
        let read = particle::decode(&bytes);
        read.map_err(|error| self.malformed(&format!("a particle of frame {number}"), error))
    }
}
