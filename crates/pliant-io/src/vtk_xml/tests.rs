//! One array in every way it may be stored, and damaged files.

use std::io::Write;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use proptest::prelude::*;

use super::*;

const REALS: [f64; 6] = [1.0, -2.5, 3.0e-3, 4.0, 5.0, 6.5];

/// How a file is stored.
#[derive(Clone, Copy, Debug)]
struct Way {
    format: &'static str,
    encoding: &'static str,
    compressor: Option<Compressor>,
    is_big_endian: bool,
    header: &'static str,
}

fn ways() -> Vec<Way> {
    let mut all = Vec::new();
    for (format, encoding) in [("binary", ""), ("appended", "raw"), ("appended", "base64")] {
        for compressor in [None, Some(Compressor::ZLib), Some(Compressor::Lz4)] {
            for is_big_endian in [false, true] {
                for header in ["UInt32", "UInt64"] {
                    all.push(Way {
                        format,
                        encoding,
                        compressor,
                        is_big_endian,
                        header,
                    });
                }
            }
        }
    }
    all
}

impl Way {
    fn in_order(self, mut little: Vec<u8>) -> Vec<u8> {
        if self.is_big_endian {
            little.reverse();
        }
        little
    }

    fn length(self, length: usize) -> Vec<u8> {
        self.in_order(match self.header {
            "UInt64" => (length as u64).to_le_bytes().to_vec(),
            _ => (length as u32).to_le_bytes().to_vec(),
        })
    }

    /// Header and data of an array, compressed in blocks of 32 bytes.
    fn block(self, data: &[u8]) -> [Vec<u8>; 2] {
        let compress = match self.compressor {
            None => return [self.length(data.len()), data.to_vec()],
            Some(Compressor::ZLib) => deflated,
            Some(Compressor::Lz4) => lz4_flex::block::compress,
        };
        let blocks: Vec<Vec<u8>> = data.chunks(32).map(compress).collect();
        let lengths = [blocks.len(), 32, data.len() % 32];
        let lengths = lengths.into_iter().chain(blocks.iter().map(Vec::len));
        [
            lengths.flat_map(|length| self.length(length)).collect(),
            blocks.concat(),
        ]
    }

    /// A file of these reals, singles and signed bytes.
    fn file(self) -> Vec<u8> {
        let bits = |little: Vec<u8>| self.in_order(little);
        let doubles: Vec<u8> = REALS
            .iter()
            .flat_map(|x| bits(x.to_le_bytes().to_vec()))
            .collect();
        let singles: Vec<u8> = REALS
            .iter()
            .flat_map(|x| bits((*x as f32).to_le_bytes().to_vec()))
            .collect();
        let mut appended = Vec::new();
        let arrays = [
            ("Float64", doubles),
            ("Float32", singles),
            ("Int8", vec![0xff, 3]),
        ];
        let xml: String = arrays
            .iter()
            .map(|(kind, data)| {
                let head = format!(
                    "<DataArray type=\"{kind}\" Name=\"{kind}\" format=\"{}\"",
                    self.format
                );
                let [header, data] = self.block(data);
                // Compressed data is encoded apart from its header.
                let base64 = if self.compressor.is_some() {
                    BASE64_STANDARD.encode(&header) + &BASE64_STANDARD.encode(&data)
                } else {
                    BASE64_STANDARD.encode([&*header, &*data].concat())
                };
                if self.format == "binary" {
                    return format!("{head}>\n  {base64}\n</DataArray>");
                }
                let offset = appended.len();
                match self.encoding {
                    "raw" => appended.extend([header, data].concat()),
                    _ => appended.extend(base64.bytes()),
                }
                format!("{head} offset=\"{offset}\"/>")
            })
            .collect();
        let order = ["LittleEndian", "BigEndian"][usize::from(self.is_big_endian)];
        let compressor = match self.compressor {
            None => "",
            Some(Compressor::ZLib) => "compressor=\"vtkZLibDataCompressor\"",
            Some(Compressor::Lz4) => "compressor=\"vtkLZ4DataCompressor\"",
        };
        let mut file = format!(
            "<?xml version=\"1.0\"?><VTKFile type=\"PolyData\" byte_order=\"{order}\" \
             header_type=\"{}\" {compressor}><PolyData><Piece><Points>{xml}</Points></Piece></PolyData>",
            self.header
        )
        .into_bytes();
        if self.format == "appended" {
            file.extend(format!("<AppendedData encoding=\"{}\">\n _", self.encoding).bytes());
            file.extend(appended);
            file.extend(b"\n</AppendedData>");
        }
        file.extend(b"</VTKFile>");
        file
    }
}

fn deflated(data: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

fn read(bytes: &[u8]) -> Result<Vec<Values>, String> {
    let parts = Parts::new(bytes)?;
    let file = VtkXml::new(&parts, "PolyData")?;
    let arrays = file.pieces().flat_map(|piece| file.arrays(piece, "Points"));
    arrays.map(|(_, node)| file.values(node)).collect()
}

#[test]
fn numbers_are_the_same_however_they_are_stored() {
    for way in ways() {
        let arrays = read(&way.file()).unwrap_or_else(|e| panic!("{way:?}: {e}"));
        let [
            Values::Reals(doubles),
            Values::Reals(singles),
            Values::Integers(bytes),
        ] = &arrays[..]
        else {
            panic!("{way:?}: other types");
        };
        assert_eq!(*doubles, REALS, "{way:?}");
        assert_eq!(*singles, REALS.map(|x| f64::from(x as f32)), "{way:?}");
        assert_eq!(*bytes, [-1, 3], "{way:?}");
    }
}

fn refusal(bytes: &[u8]) -> String {
    match read(bytes) {
        Ok(_) => panic!("it is read"),
        Err(reason) => reason,
    }
}

#[test]
fn empty_arrays_are_read() {
    for way in ways() {
        let file = way.file();
        let text = String::from_utf8_lossy(&file);
        let (start, end) = match (way.format, text.find("Name=\"Int8\" format=\"binary\">")) {
            ("binary", Some(at)) => (at + 28, at + text[at..].find("</DataArray>").unwrap()),
            _ => continue,
        };
        let empty = BASE64_STANDARD.encode(way.length(0));
        let file = format!("{}{empty}{}", &text[..start], &text[end..]);
        let arrays = read(file.as_bytes()).expect("an empty array");
        assert!(
            matches!(&arrays[2], Values::Integers(none) if none.is_empty()),
            "{way:?}"
        );
    }
}

#[test]
fn what_is_not_read_is_told_with_what_would_be() {
    let text = String::from_utf8(ways()[0].file()).unwrap();
    let said = refusal(
        text.replace(
            "header_type",
            "compressor=\"vtkLZMADataCompressor\" header_type",
        )
        .as_bytes(),
    );
    assert!(said.contains("vtkLZMA") && said.contains("ZLib"), "{said}");
    let said = refusal(text.replace("\"PolyData\"", "\"ImageData\"").as_bytes());
    assert!(said.contains("VTK ImageData, not VTK PolyData"), "{said}");
    let said = refusal(text.replace("\"Int8\"", "\"String\"").as_bytes());
    assert!(
        said.contains("`String`") && said.contains("numbers"),
        "{said}"
    );
    let said = refusal(text.replace("</DataArray>", "").as_bytes());
    assert!(!said.is_empty());
}

#[test]
fn an_array_that_announces_more_than_there_is_is_cut_off() {
    for way in ways() {
        let mut file = way.file();
        if way.encoding == "raw" {
            let start = find(&file, 0, b"\n _").unwrap() + 3;
            file[start..start + 4].fill(0xff);
        } else {
            file.truncate(file.len() - 40);
            file.extend(b"\n</AppendedData></VTKFile>");
        }
        assert!(!refusal(&file).is_empty(), "{way:?}");
    }
}

proptest! {
    #[test]
    fn no_bytes_make_the_reader_panic(
        way in prop::sample::select(ways()),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        keep in any::<prop::sample::Index>(),
        is_cut in any::<bool>(),
    ) {
        let mut file = way.file();
        for (place, byte) in changes {
            let place = place.index(file.len());
            file[place] = byte;
        }
        if is_cut {
            file.truncate(keep.index(file.len()));
        }
        let _ = read(&file);
    }
}
