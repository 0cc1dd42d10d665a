//! `pliant list`.

use clap::Args;
use pliant::bundled::{BundledScene, bundled_scenes};

use super::Failure;
use super::print::print_text;
use pliant::text::table;

#[derive(Args)]
pub(crate) struct ListArguments {
    /// Only scenes whose source or name contains this: yu, "fig. 13", xpbi
    #[arg(long, value_name = "P")]
    paper: Option<String>,
}

pub(crate) fn execute(arguments: &ListArguments) -> Result<(), Failure> {
    let wanted = arguments.paper.clone().unwrap_or_default().to_lowercase();
    let rows: Vec<Vec<String>> = bundled_scenes()
        .map(row)
        .filter(|row| row.iter().any(|cell| cell.to_lowercase().contains(&wanted)))
        .collect();
    if rows.is_empty() {
        return Err(Failure::wrong(format!(
            "no bundled scene has '{wanted}' in its source or name"
        )));
    }
    print_text(table(&rows, &[]));
    Ok(())
}

/// Name, title and source.
fn row(scene: BundledScene) -> Vec<String> {
    vec![
        scene.name.to_owned(),
        scene.describe("title"),
        scene.describe("source"),
    ]
}
