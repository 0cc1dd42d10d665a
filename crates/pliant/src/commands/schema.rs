//! `pliant schema`.

use clap::Args;

use super::Failure;
use super::print::{print_line, print_text};

#[derive(Args)]
pub(crate) struct SchemaArguments {
    /// Print the reference page in Markdown instead
    #[arg(long)]
    markdown: bool,
}

pub(crate) fn execute(arguments: &SchemaArguments) -> Result<(), Failure> {
    if arguments.markdown {
        print_text(pliant_scene::reference());
    } else {
        print_line(format_args!("{:#}", pliant_scene::schema()));
    }
    Ok(())
}
