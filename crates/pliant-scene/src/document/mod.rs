//! A scene's text as a tree in which every value knows where it was written.

mod address;
mod code;
mod merge;
mod node;
mod parse;
mod read;

pub(crate) use address::address_text;
pub(crate) use code::{document_of, root_of};
pub(crate) use node::{Data, Entry, Node, Table};
pub(crate) use read::{Document, read_document, read_file, read_more};

pub use read::{Overrides, Setting};
