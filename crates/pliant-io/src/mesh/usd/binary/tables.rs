//! The tables of a file.

use super::super::{MeshProblem, malformed};
use super::packed::{integers, unpacked};
use super::{Cursor, MAGIC, cut_off};

/// Ends a set of fields.
const END_OF_SET: i32 = -1;

/// What a file holds.
#[derive(Debug)]
pub(super) struct Tables {
    pub(super) bytes: Vec<u8>,
    /// Of the form, its second number: the first is 0.
    pub(super) version: u8,
    tokens: Vec<String>,
    /// Texts, as numbers of tokens.
    texts: Vec<u32>,
    /// Numbers of tokens, and values.
    fields: Vec<(u32, u64)>,
    /// Numbers of fields, each set closed by [`END_OF_SET`].
    sets: Vec<i32>,
    pub(super) paths: Vec<Path>,
    pub(super) specs: Vec<Spec>,
}

/// A path, by the path above and the last part.
#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    pub(super) above: Option<u32>,
    pub(super) name: String,
    pub(super) is_property: bool,
}

/// What there is at a path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spec {
    pub(super) path: u32,
    set: u32,
    pub(super) kind: i32,
}

/// Where the tables are.
struct Sections<'b> {
    bytes: &'b [u8],
    places: Vec<([u8; 16], u64)>,
}

impl Tables {
    /// Reads the tables.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, MeshProblem> {
        let mut head = Cursor::new(bytes, MAGIC.len() as u64)?;
        let [major, version, ..] = head.array::<8>()?;
        if major != 0 || version < 4 {
            return Err(malformed(format!(
                "it is written in version {major}.{version} of the binary form, versions from 0.4 on are read; write it \
                 anew by usdcat"
            )));
        }
        let mut contents = Cursor::new(bytes, head.u64()?)?;
        let mut sections = Sections {
            bytes,
            places: Vec::new(),
        };
        for _ in 0..contents.count()? {
            let name = contents.array()?;
            sections.places.push((name, contents.u64()?));
            contents.u64()?;
        }
        let tokens = tokens(&mut sections.find("TOKENS")?)?;
        let texts = numbers(&mut sections.find("STRINGS")?)?;
        let fields = fields(&mut sections.find("FIELDS")?)?;
        let mut section = sections.find("FIELDSETS")?;
        let count = section.count()?;
        let sets = integers(&mut section, count)?;
        let paths = paths(&mut sections.find("PATHS")?, &tokens)?;
        let specs = specs(&mut sections.find("SPECS")?)?;
        Ok(Self {
            bytes: bytes.to_vec(),
            version,
            tokens,
            texts,
            fields,
            sets,
            paths,
            specs,
        })
    }

    pub(super) fn token(&self, number: u32) -> Result<&str, MeshProblem> {
        let token = self.tokens.get(number as usize);
        token.map(String::as_str).ok_or_else(cut_off)
    }

    pub(super) fn text(&self, number: u32) -> Result<&str, MeshProblem> {
        self.token(*self.texts.get(number as usize).ok_or_else(cut_off)?)
    }

    pub(super) fn path(&self, number: u32) -> Result<&Path, MeshProblem> {
        self.paths.get(number as usize).ok_or_else(cut_off)
    }

    /// A path as it is written, without selected variants.
    pub(super) fn whole_path(&self, number: u32) -> Result<String, MeshProblem> {
        let mut names = Vec::new();
        let mut path = self.path(number)?;
        while let Some(above) = path.above {
            if !path.name.starts_with('{') {
                names.push(path.name.as_str());
            }
            path = self.path(above)?;
        }
        names.push("");
        names.reverse();
        Ok(names.join("/"))
    }

    /// The fields of a spec.
    pub(super) fn fields_of(
        &self,
        spec: &Spec,
    ) -> impl Iterator<Item = Result<(&str, u64), MeshProblem>> {
        let set = self.sets.get(spec.set as usize..).unwrap_or_default();
        let numbers = set.iter().take_while(|&&number| number != END_OF_SET);
        numbers.map(|&number| {
            let field = self.fields.get(number as usize);
            let (token, value) = *field.ok_or_else(cut_off)?;
            Ok((self.token(token)?, value))
        })
    }
}

impl<'b> Sections<'b> {
    fn find(&self, name: &str) -> Result<Cursor<'b>, MeshProblem> {
        let is_named = |(own, _): &&([u8; 16], u64)| {
            let length = own.iter().position(|&byte| byte == 0).unwrap_or(own.len());
            &own[..length] == name.as_bytes()
        };
        let (_, place) = self.places.iter().find(is_named).ok_or_else(cut_off)?;
        Cursor::new(self.bytes, *place)
    }
}

fn tokens(section: &mut Cursor) -> Result<Vec<String>, MeshProblem> {
    let (count, size, packed) = (section.count()?, section.count()?, section.count()?);
    let bytes = unpacked(section.take(packed)?, size)?;
    let text = bytes.strip_suffix(&[0]).unwrap_or(&bytes);
    let tokens = text.split(|&byte| byte == 0);
    let tokens: Vec<String> = tokens
        .take(count)
        .map(|token| String::from_utf8_lossy(token).into_owned())
        .collect();
    match tokens.len() == count || count == 0 {
        true => Ok(tokens),
        false => Err(cut_off()),
    }
}

/// Numbers of 32 bits after how many they are.
fn numbers(section: &mut Cursor) -> Result<Vec<u32>, MeshProblem> {
    let count = section.count()?;
    let bytes = section.take_many(count, 4)?;
    let numbers = bytes.as_chunks().0.iter();
    Ok(numbers.map(|&number| u32::from_le_bytes(number)).collect())
}

fn fields(section: &mut Cursor) -> Result<Vec<(u32, u64)>, MeshProblem> {
    let count = section.count()?;
    let tokens = integers(section, count)?;
    let packed = section.count()?;
    let values = unpacked(section.take(packed)?, tokens.len() * 8)?;
    let values = values.as_chunks().0;
    if values.len() != tokens.len() {
        return Err(cut_off());
    }
    let values = values.iter().map(|&value| u64::from_le_bytes(value));
    Ok(tokens.into_iter().map(|t| t as u32).zip(values).collect())
}

fn specs(section: &mut Cursor) -> Result<Vec<Spec>, MeshProblem> {
    let count = section.count()?;
    let paths = integers(section, count)?;
    let sets = integers(section, count)?;
    let kinds = integers(section, count)?;
    let specs = paths.into_iter().zip(sets).zip(kinds);
    Ok(specs
        .map(|((path, set), kind)| Spec {
            path: path as u32,
            set: set as u32,
            kind,
        })
        .collect())
}

/// Paths are told in the order of the tree, each with how far it is to the next one of the same path above: 0 if that
/// follows and nothing is below, -1 if only what is below follows, -2 if neither is there.
fn paths(section: &mut Cursor, tokens: &[String]) -> Result<Vec<Path>, MeshProblem> {
    let count = section.count()?;
    let told = section.count()?;
    let places = integers(section, told)?;
    let names = integers(section, told)?;
    let jumps = integers(section, told)?;
    if count > told {
        return Err(cut_off());
    }
    let mut paths = vec![Path::default(); count];
    let mut is_told = vec![false; count];
    // Where to go on, and with which path above.
    let mut waiting = vec![(0, None)];
    while let Some((mut at, mut above)) = waiting.pop() {
        loop {
            let &place = places.get(at).ok_or_else(cut_off)?;
            let path = paths.get_mut(place as usize).ok_or_else(cut_off)?;
            if std::mem::replace(&mut is_told[place as usize], true) {
                return Err(cut_off());
            }
            if at > 0 {
                let token = tokens.get(names[at].unsigned_abs() as usize);
                path.name.clone_from(token.ok_or_else(cut_off)?);
            }
            path.is_property = names[at] < 0;
            path.above = above;
            let jump = jumps[at];
            let (has_below, has_next) = (jump > 0 || jump == -1, jump >= 0);
            if has_below {
                if has_next {
                    waiting.push((at + jump as usize, above));
                }
                above = Some(place as u32);
            }
            if !has_below && !has_next {
                break;
            }
            at += 1;
        }
    }
    Ok(paths)
}
