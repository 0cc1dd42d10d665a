//! The command, from outside: exit status, files, what is said.

mod compare;
mod deforming;
mod export;
mod failures;
mod gallery;
mod interrupted;
mod levels;
mod lock;
mod mesh;
mod messages;
mod other_commands;
mod repair;
mod replay;
mod resume;
mod run;
mod serve;
mod shapes;
mod support;
mod sweep;
mod validate;
mod window;
