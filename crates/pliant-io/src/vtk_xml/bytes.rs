//! Bytes of arrays, one after the other, as they are or spelled in base64.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

/// How bytes are spelled.
#[derive(Clone, Copy)]
pub(super) enum Encoding {
    Raw,
    Base64,
}

/// Bytes that are taken from the front.
pub(super) struct Bytes<'b> {
    /// What is not yet taken, as it is spelled.
    rest: &'b [u8],
    encoding: Encoding,
    /// Bytes of a group of base64 that are not yet taken.
    left: Vec<u8>,
}

impl<'b> Bytes<'b> {
    pub(super) fn new(spelled: &'b [u8], encoding: Encoding) -> Self {
        Self {
            rest: spelled,
            encoding,
            left: Vec::new(),
        }
    }

    /// The next so many bytes; `None` if there are not as many.
    pub(super) fn take(&mut self, count: usize) -> Option<Vec<u8>> {
        if count > self.rest.len() + self.left.len() {
            return None;
        }
        match self.encoding {
            Encoding::Raw => {
                let (taken, rest) = self.rest.split_at(count);
                self.rest = rest;
                Some(taken.to_vec())
            }
            Encoding::Base64 => self.decode(count),
        }
    }

    /// Group by group: what is encoded apart (a header, then data) is padded in between.
    fn decode(&mut self, count: usize) -> Option<Vec<u8>> {
        let mut bytes = std::mem::take(&mut self.left);
        bytes.reserve(count.saturating_sub(bytes.len()));
        while bytes.len() < count {
            let mut group = [0; 4];
            for place in &mut group {
                let start = self.rest.iter().position(|b| !b.is_ascii_whitespace())?;
                *place = self.rest[start];
                self.rest = &self.rest[start + 1..];
            }
            let mut decoded = [0; 3];
            let length = BASE64_STANDARD.decode_slice(group, &mut decoded).ok()?;
            bytes.extend(&decoded[..length]);
        }
        self.left = bytes.split_off(count);
        Some(bytes)
    }
}
