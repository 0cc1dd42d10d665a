//! Little-endian numbers, texts and columns one after the other.

/// What is received is not what a server of Pliant sends.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Malformed(pub(crate) String);

/// A number of fixed size.
pub(crate) trait Fixed<const N: usize>: Sized {
    /// From its bytes.
    fn read(bytes: [u8; N]) -> Self;
}

impl Fixed<4> for u32 {
    fn read(bytes: [u8; 4]) -> Self {
        Self::from_le_bytes(bytes)
    }
}

impl Fixed<8> for u64 {
    fn read(bytes: [u8; 8]) -> Self {
        Self::from_le_bytes(bytes)
    }
}

impl Fixed<4> for f32 {
    fn read(bytes: [u8; 4]) -> Self {
        Self::from_le_bytes(bytes)
    }
}

impl Fixed<8> for f64 {
    fn read(bytes: [u8; 8]) -> Self {
        Self::from_le_bytes(bytes)
    }
}

impl Fixed<1> for u8 {
    fn read([byte]: [u8; 1]) -> Self {
        byte
    }
}

/// Reads bytes from their start on.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
    /// How many there were.
    length: usize,
}

impl<'a> Reader<'a> {
    pub fn of(bytes: &'a [u8]) -> Self {
        Self {
            rest: bytes,
            length: bytes.len(),
        }
    }

    /// A number; `what` names it in an error.
    pub fn number<T: Fixed<N>, const N: usize>(&mut self, what: &str) -> Result<T, Malformed> {
        let [bytes] = self.rows::<1, N>(1, what)?;
        Ok(T::read(*bytes))
    }

    /// A finite number.
    pub fn finite(&mut self, what: &str) -> Result<f64, Malformed> {
        let value: f64 = self.number(what)?;
        match value.is_finite() {
            true => Ok(value),
            false => Err(Malformed(format!("its {what} is {value}"))),
        }
    }

    /// So many rows of numbers.
    pub fn column<T: Fixed<N>, const ROW: usize, const N: usize>(
        &mut self,
        count: usize,
        what: &str,
    ) -> Result<Vec<[T; ROW]>, Malformed> {
        let bytes = self.take(count, ROW * N, what)?;
        let (numbers, _) = bytes.as_chunks::<N>();
        let (rows, _) = numbers.as_chunks::<ROW>();
        Ok(rows.iter().map(|row| row.map(T::read)).collect())
    }

    /// So many rows of finite numbers.
    pub fn finite_column<const ROW: usize>(
        &mut self,
        count: usize,
        what: &str,
    ) -> Result<Vec<[f32; ROW]>, Malformed> {
        let rows: Vec<[f32; ROW]> = self.column(count, what)?;
        match rows.as_flattened().iter().all(|value| value.is_finite()) {
            true => Ok(rows),
            false => Err(Malformed(format!(
                "its {what} has values that are not finite"
            ))),
        }
    }

    /// A text with its length in bytes before it.
    pub fn text(&mut self, what: &str) -> Result<String, Malformed> {
        let length: u32 = self.number(what)?;
        let bytes = self.take(length as usize, 1, what)?;
        let text = std::str::from_utf8(bytes);
        let text = text.map_err(|_| Malformed(format!("its {what} is not UTF-8")))?;
        Ok(text.to_owned())
    }

    /// Nothing must be left.
    pub fn end(self) -> Result<(), Malformed> {
        match self.rest.len() {
            0 => Ok(()),
            left => Err(Malformed(format!(
                "{left} bytes are left of {}",
                self.length
            ))),
        }
    }

    fn rows<const COUNT: usize, const N: usize>(
        &mut self,
        count: usize,
        what: &str,
    ) -> Result<&'a [[u8; N]; COUNT], Malformed> {
        let bytes = self.take(count, N, what)?;
        let rows = bytes.as_chunks::<N>().0.first_chunk();
        rows.ok_or_else(|| self.cut_off(what))
    }

    /// The next bytes, `count` times `size`, which are there before anything is made of them.
    fn take(&mut self, count: usize, size: usize, what: &str) -> Result<&'a [u8], Malformed> {
        let length = count.checked_mul(size);
        let parts = length.and_then(|length| self.rest.split_at_checked(length));
        let (taken, rest) = parts.ok_or_else(|| self.cut_off(what))?;
        self.rest = rest;
        Ok(taken)
    }

    fn cut_off(&self, what: &str) -> Malformed {
        Malformed(format!(
            "its {what} is cut off, {} bytes before the end of {}",
            self.rest.len(),
            self.length
        ))
    }
}

/// Adds a text with its length in bytes before it.
pub(crate) fn add_text(bytes: &mut Vec<u8>, text: &str) {
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_and_what_is_cut_off_is_told() {
        let mut bytes = 7_u32.to_le_bytes().to_vec();
        add_text(&mut bytes, "größe");
        bytes.extend(
            [1.5_f32, 2.0, 3.0, 4.0]
                .map(f32::to_le_bytes)
                .as_flattened(),
        );
        let read = |bytes: &[u8]| -> Result<_, Malformed> {
            let mut reader = Reader::of(bytes);
            let number: u32 = reader.number("number")?;
            let text = reader.text("text")?;
            let column = reader.finite_column::<2>(2, "column")?;
            reader.end()?;
            Ok((number, text, column))
        };
        let expected = (7, "größe".to_owned(), vec![[1.5, 2.0], [3.0, 4.0]]);
        assert_eq!(read(&bytes), Ok(expected));
        for end in 0..bytes.len() {
            assert!(read(&bytes[..end]).is_err_and(|e| e.0.contains("cut off")));
        }
        bytes.push(0);
        assert!(read(&bytes).is_err_and(|e| e.0.contains("1 bytes are left")));
    }

    #[test]
    fn what_claims_to_be_huge_takes_no_memory() {
        let bytes = [u32::MAX.to_le_bytes(); 2].concat();
        assert!(Reader::of(&bytes).text("name").is_err());
        let column = Reader::of(&bytes).column::<f32, 4, 4>(usize::MAX, "column");
        assert!(column.is_err());
    }
}
