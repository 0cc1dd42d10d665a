//! What the laws of springs promise.

mod curves;
mod membrane;
