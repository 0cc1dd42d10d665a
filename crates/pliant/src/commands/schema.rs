//! `pliant schema`.

use clap::Args;

use super::Failure;

#[derive(Args)]
pub(crate) struct SchemaArguments {
    /// Print the reference page in Markdown instead
    #[arg(long)]
    markdown: bool,
}

pub(crate) fn execute(arguments: &SchemaArguments) -> Result<(), Failure> {
    if arguments.markdown {
        print!("{}", pliant_scene::reference());
    } else {
        println!("{}", pliant_scene::schema());
    }
    Ok(())
}
