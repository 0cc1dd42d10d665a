//! Environment maps as other programs write them, and damaged ones.

use proptest::prelude::*;

use super::*;

const HEAD: &str = "#?RADIANCE\n# Made by hand\nFORMAT=32-bit_rle_rgbe\nEXPOSURE=1.0\n\n";

fn file(width: usize, height: usize, pixels: &[u8]) -> Vec<u8> {
    [format!("{HEAD}-Y {height} +X {width}\n").as_bytes(), pixels].concat()
}

/// A row of ten pixels: six of one kind and four that differ in green.
fn run_length_encoded() -> Vec<u8> {
    let red = [128 + 10, 200];
    let green = [128 + 6, 100, 4, 1, 2, 3, 4];
    let blue = [10, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
    let exponent = [128 + 10, 129];
    [&[2, 2, 0, 10], &red[..], &green, &blue, &exponent].concat()
}

#[test]
fn plain_and_encoded_rows_give_the_same_pixels() {
    let green = |k: u8| if k < 6 { 100 } else { k - 5 };
    let plain: Vec<u8> = (0..10).flat_map(|k| [200, green(k), k, 129]).collect();
    let encoded = decoded(&file(10, 2, &run_length_encoded().repeat(2))).unwrap();
    assert_eq!(decoded(&file(10, 2, &plain.repeat(2))).unwrap(), encoded);
    assert_eq!(
        (encoded.width, encoded.height, encoded.pixels.len()),
        (10, 2, 20)
    );
    // Mantissas count 1/256 of 2^(129 - 128).
    let expected = [200.5, 100.5, 0.5].map(|c: f32| c / 128.0);
    assert_eq!(encoded.pixels[0], expected);
    let repeated = [[200, 100, 0, 129], [1, 1, 1, 9]].concat();
    let repeated = decoded(&file(10, 1, &repeated)).unwrap();
    assert!(repeated.pixels.iter().all(|pixel| *pixel == expected));
    assert_eq!(radiance([255, 255, 255, 0]), [0.0; 3]);
}

#[test]
fn other_files_are_refused_in_words() {
    let refused = |bytes: &[u8], part: &str| {
        let why = decoded(bytes).unwrap_err();
        assert!(why.contains(part), "{why}");
    };
    refused(b"\x89PNG\r\n", "#?RADIANCE");
    refused(
        b"#?RADIANCE\nFORMAT=32-bit_rle_xyze\n\n-Y 1 +X 1\n1234",
        "xyze",
    );
    refused(format!("{HEAD}+X 2 +Y 1\n12345678").as_bytes(), "+X 2 +Y 1");
    refused(format!("{HEAD}-Y 0 +X 1\n").as_bytes(), "1 to 32768");
    refused(HEAD.trim_end().as_bytes(), "no end");
    let whole = file(10, 2, &run_length_encoded().repeat(2));
    for length in 0..whole.len() {
        assert!(decoded(&whole[..length]).is_err(), "{length}");
    }
}

proptest! {
    #[test]
    fn changed_bytes_give_maps_or_reasons(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let mut bytes = file(10, 2, &run_length_encoded().repeat(2));
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        if let Ok(read) = decoded(&bytes) {
            prop_assert_eq!(read.pixels.len(), (read.width * read.height) as usize);
            prop_assert!(read.pixels.as_flattened().iter().all(|c| c.is_finite() && *c >= 0.0));
        }
    }
}
