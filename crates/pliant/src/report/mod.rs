//! `report.html`: one page about a run that opens anywhere, without a network and without scripts.
//!
//! Made from what lies in the folder, so that it can be made again: `run.json`, the two tables, the
//! film. Not here: the tables themselves (`crate::run`), pictures (`pliant-render`).

mod expectations;
mod figures;
mod film;
mod run_summary;

pub use film::poster_file;

use pliant_io::write_bytes;
use pliant_scene::Scene;

use crate::additions::{read_additions, whole_text};
use crate::page::{escaped, page};
use crate::run::{Layout, Manifest, OutputFolder, RunColumns, RunError, Status};

/// Writes the report of a run into its folder, from what lies there.
///
/// # Errors
/// If the tables or the scene cannot be read, or the report cannot be written.
pub fn write_report(
    folder: &OutputFolder,
    scene: &Scene,
    layout: &Layout,
    manifest: &Manifest,
) -> Result<(), RunError> {
    let columns = RunColumns::read(folder)?;
    let (additions, _) = read_additions(folder, scene)?;
    let title = match scene.title() {
        "" => manifest.scene_file.as_str(),
        title => title,
    };
    let sections = [
        header(title, scene, manifest),
        film::section(folder, manifest)?,
        run_summary::tiles(manifest, scene),
        expectations::section(scene, &columns),
        warnings(manifest),
        figures::section(scene, layout, &columns),
        run_summary::details(manifest, &additions, &whole_text(folder)?),
    ];
    let page = page(title, &sections.concat());
    Ok(write_bytes(&folder.report(), page.as_bytes())?)
}

/// Title, source, and how the run ended if not well.
fn header(title: &str, scene: &Scene, manifest: &Manifest) -> String {
    let source = scene.source().map_or(String::new(), |source| {
        format!("<p class=\"source\">{}</p>\n", escaped(source))
    });
    let (done, planned) = (manifest.frames_done, manifest.frames_planned);
    let ending = match &manifest.status {
        Status::Done => String::new(),
        Status::Still => note("", "Ended early", "Nothing moved any more."),
        Status::Running => note("bad", "Not complete", "The run goes on, or was killed."),
        Status::Interrupted => {
            let text =
                format!("Stopped after frame {done} of {planned}; <code>--resume</code> goes on.");
            note("bad", "Interrupted", &text)
        }
        Status::Failed(reason) => {
            let reason = escaped(reason).replace('\n', "<br>");
            note(
                "bad",
                &format!("Failed after frame {done} of {planned}"),
                &reason,
            )
        }
    };
    format!(
        "<header>\n<h1>{}</h1>\n{source}{ending}</header>\n",
        escaped(title)
    )
}

/// A box with a heading; `html` is ready to be shown.
fn note(class: &str, heading: &str, html: &str) -> String {
    format!(
        "<p class=\"note {class}\"><strong>{}</strong> {html}</p>\n",
        escaped(heading)
    )
}

fn warnings(manifest: &Manifest) -> String {
    if manifest.warnings.is_empty() {
        return String::new();
    }
    let items = manifest
        .warnings
        .iter()
        .map(|w| format!("<li>{}</li>\n", escaped(w)));
    format!(
        "<section>\n<h2>Warnings</h2>\n<ul>\n{}</ul>\n</section>\n",
        items.collect::<String>()
    )
}
