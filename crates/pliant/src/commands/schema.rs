//! `pliant schema`.

use clap::Args;

use super::Failure;
use super::say::{say, say_line};

#[derive(Args)]
pub(crate) struct SchemaArguments {
    /// Print the reference page in Markdown instead
    #[arg(long)]
    markdown: bool,
}

pub(crate) fn execute(arguments: &SchemaArguments) -> Result<(), Failure> {
    if arguments.markdown {
        say(pliant_scene::reference());
    } else {
        say_line(format_args!("{:#}", pliant_scene::schema()));
    }
    Ok(())
}
