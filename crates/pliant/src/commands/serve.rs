//! `pliant serve`.

use std::path::PathBuf;

use clap::Args;
use pliant::serve::{PAGE_SCRIPT, PageServer, ServeError, page_beside};

use super::Failure;
use super::print::print_line;

#[derive(Args)]
pub(crate) struct ServeArguments {
    /// Folders of runs, finished or not; without any, the page with its examples and its editor
    runs: Vec<PathBuf>,
    /// Where it listens on this machine; 0 takes a free port
    #[arg(long, value_name = "PORT", default_value_t = 8000)]
    port: u16,
    /// The folder of the page [default: `page` beside this program, or in its target folder; for runs, what is built in]
    #[arg(long, value_name = "FOLDER")]
    page: Option<PathBuf>,
}

/// Serves until it is interrupted.
pub(crate) fn execute(arguments: &ServeArguments) -> Result<(), Failure> {
    let advice = format!("in a clone of Pliant, `{PAGE_SCRIPT}` puts it together");
    let page = arguments.page.clone().or_else(page_beside);
    if page.is_none() && arguments.runs.is_empty() {
        let why = "the page of the engine is neither beside this program nor in its target folder; without it, \
                   runs alone can be shown";
        return Err(Failure::wrong(why).with_advice(&advice));
    }
    let server = PageServer::open(page.as_deref(), &arguments.runs, arguments.port);
    let server = server.map_err(|error| match &error {
        ServeError::NoPage { .. } => Failure::wrong(error.to_string()).with_advice(&advice),
        ServeError::Run(_) => Failure::wrong(error.to_string()),
        ServeError::Port { .. } => {
            Failure::failed(error.to_string()).with_advice("take another with --port")
        }
    })?;
    print_line(format_args!(
        "open {} in a browser; Ctrl-C ends",
        server.address()
    ));
    server.work();
    Ok(())
}
