//! The frames that there are, as JSON: a window asks again and again, and is told what is new.

use serde_json::{Value, json};

use super::bytes::Malformed;
use super::json::{field, finite, list, whole};
use crate::run_source::Listing;

/// The frames after a number, and what is needed to know which of those before it there still are.
pub(crate) fn encode(listing: &Listing, after: u32) -> Value {
    let start = listing.frames.partition_point(|&frame| frame <= after);
    json!({
        "first": listing.frames.first(),
        "count": listing.frames.len(),
        "isLive": listing.is_live,
        "frames": listing.frames[start..],
        "times": listing.times[start..],
    })
}

/// Brings a list up to date. False if it is of frames that there were before: then all of them have to be asked for.
///
/// # Errors
/// If what a server tells makes no sense.
pub(crate) fn update(listing: &mut Listing, told: &Value) -> Result<bool, Malformed> {
    let frames = list(told, "frames")?.iter();
    let frames: Vec<u32> = frames
        .map(|own| whole(own, "frames"))
        .collect::<Result<_, _>>()?;
    let times = list(told, "times")?.iter();
    let times: Vec<f64> = times
        .map(|own| finite(own, "times"))
        .collect::<Result<_, _>>()?;
    let last = listing.frames.last().copied();
    let is_increasing = frames.is_sorted_by(|a, b| a < b);
    if !is_increasing
        || frames.len() != times.len()
        || frames.first().copied() <= last && !frames.is_empty()
    {
        return Err(Malformed(
            "its `frames` and `times` do not fit together".to_owned(),
        ));
    }
    let count = whole(field(told, "count")?, "count")?;
    if let Some(first) = told.get("first").filter(|first| !first.is_null()) {
        let first = whole(first, "first")?;
        let gone = listing.frames.partition_point(|&frame| frame < first);
        listing.frames.drain(..gone);
        listing.times.drain(..gone);
    }
    listing.frames.extend(frames);
    listing.times.extend(times);
    listing.is_live = told.get("isLive") == Some(&Value::Bool(true));
    Ok(listing.frames.len() == count as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listing(frames: impl IntoIterator<Item = u32>) -> Listing {
        let frames: Vec<u32> = frames.into_iter().collect();
        Listing {
            times: frames.iter().map(|&frame| f64::from(frame) / 3.0).collect(),
            frames,
            is_live: true,
        }
    }

    #[test]
    fn a_list_follows_another_that_grows_and_loses_its_start() {
        let mut own = Listing::default();
        for there in [
            listing(1..2),
            listing(1..5),
            listing(1..5),
            listing(3..9),
            listing(12..14),
        ] {
            let after = own.frames.last().copied().unwrap_or(0);
            let told = encode(&there, after);
            assert_eq!(update(&mut own, &told), Ok(true));
            assert_eq!(own, there);
        }
        // A run that was begun anew has fewer.
        let told = encode(&listing(1..4), 13);
        assert_eq!(update(&mut own, &told), Ok(false));
    }

    #[test]
    fn what_is_no_list_is_refused() {
        for told in [
            json!({}),
            json!([]),
            json!({ "frames": [1, 2], "times": [0.0], "count": 2 }),
            json!({ "frames": [2, 1], "times": [0.0, 1.0], "count": 2 }),
            json!({ "frames": [1, 1], "times": [0.0, 1.0], "count": 2 }),
            json!({ "frames": [-1], "times": [0.0], "count": 1 }),
            json!({ "frames": [1], "times": [null], "count": 1 }),
            json!({ "frames": [1], "times": [0.0], "count": -1 }),
            json!({ "frames": [1], "times": [0.0] }),
        ] {
            assert!(update(&mut Listing::default(), &told).is_err(), "{told}");
        }
        let told = encode(&listing(1..4), 0);
        assert!(update(&mut listing(1..4), &told).is_err());
    }
}
