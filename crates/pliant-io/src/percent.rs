//! Text as plain ASCII: `%20` and the like, as in URIs.

/// The text with control characters, `%` and everything beyond ASCII spelled by their bytes.
pub(crate) fn encoded(text: &str) -> String {
    let spelled = |byte: u8| match byte {
        b' '..=b'~' if byte != b'%' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(spelled).collect()
}

/// The text with every `%` and two hexadecimal digits replaced by the byte they stand for.
pub(crate) fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut i = 0;
    while i < bytes.len() {
        let code = bytes
            .get(i + 1..i + 3)
            .filter(|_| bytes[i] == b'%')
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        decoded.push(code.unwrap_or(bytes[i]));
        i += if code.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn text_that_is_not_percent_encoded_stays() {
        assert_eq!(decoded("50% a%2 %zz %41%"), "50% a%2 %zz A%");
    }

    proptest! {
        #[test]
        fn text_comes_back_from_ascii(text in any::<String>()) {
            let ascii = encoded(&text);
            prop_assert!(ascii.bytes().all(|b| (b' '..=b'~').contains(&b)));
            prop_assert_eq!(decoded(&ascii), text);
        }
    }
}
