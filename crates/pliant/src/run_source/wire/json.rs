//! Values of JSON, with what is wrong with them.

use serde_json::Value;

use super::bytes::Malformed;

/// The value that bytes are.
pub(crate) fn parse(bytes: &[u8]) -> Result<Value, Malformed> {
    serde_json::from_slice(bytes).map_err(|error| Malformed(format!("it is no JSON: {error}")))
}

/// The value of a key.
pub(crate) fn field<'a>(value: &'a Value, key: &str) -> Result<&'a Value, Malformed> {
    value
        .get(key)
        .ok_or_else(|| Malformed(format!("it has no `{key}`")))
}

/// A list under a key.
pub(crate) fn list<'a>(value: &'a Value, key: &str) -> Result<&'a [Value], Malformed> {
    let found = field(value, key)?.as_array();
    found.map(Vec::as_slice).ok_or_else(|| wrong(key, "a list"))
}

/// A text under a key.
pub(crate) fn text<'a>(value: &'a Value, key: &str) -> Result<&'a str, Malformed> {
    let found = field(value, key)?.as_str();
    found.ok_or_else(|| wrong(key, "a text"))
}

/// A finite number under a key.
pub(crate) fn number(value: &Value, key: &str) -> Result<f64, Malformed> {
    finite(field(value, key)?, key)
}

/// A value that is a finite number; `key` names it in an error.
pub(crate) fn finite(value: &Value, key: &str) -> Result<f64, Malformed> {
    let number = value.as_f64().filter(|number| number.is_finite());
    number.ok_or_else(|| wrong(key, "a finite number"))
}

/// A value that is a number without sign and fraction; `key` names it in an error.
pub(crate) fn whole(value: &Value, key: &str) -> Result<u32, Malformed> {
    let number = value.as_u64().and_then(|number| number.try_into().ok());
    number.ok_or_else(|| wrong(key, "a number without sign and fraction"))
}

/// A value that is so many finite numbers; `key` names it in an error.
pub(crate) fn numbers<const N: usize>(value: &Value, key: &str) -> Result<[f64; N], Malformed> {
    let list = value.as_array().filter(|list| list.len() == N);
    let list = list.ok_or_else(|| wrong(key, &format!("{N} numbers")))?;
    let mut read = [0.0; N];
    for (number, value) in read.iter_mut().zip(list) {
        *number = finite(value, key)?;
    }
    Ok(read)
}

fn wrong(key: &str, expected: &str) -> Malformed {
    Malformed(format!("its `{key}` is not {expected}"))
}
