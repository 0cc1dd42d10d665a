//! The numbers of a section, as text or as bytes.

use std::ops::Range;

/// How numbers are written.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Encoding {
    /// As text.
    Text,
    /// As bytes, the least first.
    LittleEndian,
    /// As bytes, the greatest first.
    BigEndian,
}

/// Numbers one after the other.
pub(super) struct Numbers<'b> {
    bytes: &'b [u8],
    at: usize,
    end: usize,
    encoding: Encoding,
}

/// Version and encoding, from the section that says them; sizes must have eight bytes.
pub(super) fn format(mut header: Numbers<'_>, bytes: &[u8]) -> Result<(String, Encoding), String> {
    let wanted = "`$MeshFormat` is followed by a version, 0 for text or 1 for binary, and 8";
    let mut word = || header.word().map(str::to_owned).ok_or(wanted);
    let (version, kind, size) = (word()?, word()?, word()?);
    if size != "8" {
        return Err(format!("{wanted}, and here by {size}"));
    }
    let encoding = match kind.as_str() {
        "0" => Encoding::Text,
        "1" => {
            // On the next line, the number 1 in the order of bytes of what follows.
            let one = bytes.get(header.at + 1..header.at + 5);
            match one {
                Some([1, 0, 0, 0]) => Encoding::LittleEndian,
                Some([0, 0, 0, 1]) => Encoding::BigEndian,
                _ => return Err("its header does not tell the order of its bytes by a 1".into()),
            }
        }
        _ => return Err(wanted.into()),
    };
    Ok((version, encoding))
}

impl<'b> Numbers<'b> {
    pub(super) fn new(bytes: &'b [u8], range: Range<usize>, encoding: Encoding) -> Self {
        Self {
            bytes,
            at: range.start,
            end: range.end,
            encoding,
        }
    }

    pub(super) fn text(bytes: &'b [u8], range: Range<usize>) -> Self {
        Self::new(bytes, range, Encoding::Text)
    }

    /// Counts and tags.
    pub(super) fn sizes<const N: usize>(&mut self) -> Result<[u64; N], String> {
        self.all(Self::size)
    }

    /// Dimensions and types, which are not negative.
    pub(super) fn ints<const N: usize>(&mut self) -> Result<[u64; N], String> {
        self.all(Self::int)
    }

    /// Coordinates.
    pub(super) fn reals<const N: usize>(&mut self) -> Result<[f64; N], String> {
        self.all(Self::real)
    }

    /// Where reading has come to, for people.
    pub(super) fn place(&self) -> String {
        if self.encoding == Encoding::Text {
            let before = &self.bytes[..self.at.min(self.bytes.len())];
            format!(
                "line {}",
                1 + before.iter().filter(|&&b| b == b'\n').count()
            )
        } else {
            format!("byte {}", self.at)
        }
    }

    fn all<T: Copy + Default, const N: usize>(
        &mut self,
        one: fn(&mut Self) -> Result<T, String>,
    ) -> Result<[T; N], String> {
        let mut found = [T::default(); N];
        for number in &mut found {
            *number = one(self)?;
        }
        Ok(found)
    }

    fn size(&mut self) -> Result<u64, String> {
        match self.encoding {
            Encoding::Text => self.parsed(),
            Encoding::LittleEndian => self.taken().map(u64::from_le_bytes),
            Encoding::BigEndian => self.taken().map(u64::from_be_bytes),
        }
    }

    fn int(&mut self) -> Result<u64, String> {
        let number: i64 = match self.encoding {
            Encoding::Text => self.parsed()?,
            Encoding::LittleEndian => i32::from_le_bytes(self.taken()?).into(),
            Encoding::BigEndian => i32::from_be_bytes(self.taken()?).into(),
        };
        // Tags of geometry may be negative; nobody asks for them.
        Ok(number.unsigned_abs())
    }

    fn real(&mut self) -> Result<f64, String> {
        match self.encoding {
            Encoding::Text => self.parsed(),
            Encoding::LittleEndian => self.taken().map(f64::from_le_bytes),
            Encoding::BigEndian => self.taken().map(f64::from_be_bytes),
        }
    }

    fn taken<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let rest = &self.bytes[self.at..self.end];
        let taken = rest.first_chunk().copied();
        let taken = taken.ok_or_else(|| self.ended())?;
        self.at += N;
        Ok(taken)
    }

    fn parsed<T: std::str::FromStr>(&mut self) -> Result<T, String> {
        let word = self.word().ok_or_else(|| self.ended())?;
        let number = word.parse();
        number.map_err(|_| {
            let place = self.place();
            format!("{place}: `{word}` is not the number that belongs there")
        })
    }

    fn ended(&self) -> String {
        format!(
            "{}: the section ends before all that it announces",
            self.place()
        )
    }

    /// The next word of a text.
    fn word(&mut self) -> Option<&'b str> {
        let rest = &self.bytes[self.at..self.end];
        let start = rest.iter().position(|b| !b.is_ascii_whitespace())?;
        let word = &rest[start..];
        let length = word.iter().position(u8::is_ascii_whitespace);
        let word = &word[..length.unwrap_or(word.len())];
        self.at += start + word.len();
        Some(str::from_utf8(word).unwrap_or("?"))
    }
}
