//! The values of the scene, from the rows that describe them: units, ranges, meaning.

use std::collections::BTreeMap;

use eframe::egui;
use pliant::live::accepted;
use pliant::parameters::{Kind, Range};
use pliant::scene::SceneEntry;

/// What is being typed, and what is looked for.
#[derive(Default)]
pub struct Values {
    search: String,
    /// Texts that are not yet set, by address.
    typed: BTreeMap<String, String>,
}

impl Values {
    /// Forgets what was typed: the scene has other values now.
    pub fn forget(&mut self) {
        self.typed.clear();
    }
}

/// Every value of the scene by its item. `KEY=VALUE` of one that was changed.
pub fn show_values(
    ui: &mut egui::Ui,
    values: &mut Values,
    entries: &[SceneEntry],
) -> Option<String> {
    let mut changed = None;
    ui.horizontal(|ui| {
        ui.label("find");
        ui.text_edit_singleline(&mut values.search);
    });
    let sought = values.search.trim().to_lowercase();
    let is_sought =
        |entry: &&SceneEntry| sought.is_empty() || entry.address().to_lowercase().contains(&sought);
    let found: Vec<&SceneEntry> = entries.iter().filter(is_sought).collect();
    for group in found.chunk_by(|a, b| a.item == b.item) {
        let header = egui::CollapsingHeader::new(&group[0].item);
        let header = match sought.is_empty() {
            true => header,
            false => header.open(Some(true)),
        };
        header.show(ui, |ui| {
            egui::Grid::new(&group[0].item)
                .num_columns(2)
                .show(ui, |ui| {
                    for entry in group {
                        let set = show_entry(ui, values, entry);
                        ui.end_row();
                        changed = set.or(changed.take());
                    }
                });
        });
    }
    changed
}

fn show_entry(ui: &mut egui::Ui, values: &mut Values, entry: &SceneEntry) -> Option<String> {
    let field = entry.field;
    let meaning = match field.unit {
        "" => field.doc.to_owned(),
        unit => format!("{} [{unit}]", field.doc),
    };
    let accepted = accepted(&field.kind);
    ui.label(field.name)
        .on_hover_text(format!("{meaning}\n\n{accepted}"));
    let address = entry.address();
    let shown = entry.text.clone().unwrap_or_default();
    let new = match field.kind {
        Kind::Flag => {
            let mut is_on = shown == "true";
            let response = ui.checkbox(&mut is_on, "");
            response.changed().then(|| is_on.to_string())
        }
        Kind::Choice(words) => choose(ui, &address, &shown, words),
        Kind::Number(range) => match shown.parse() {
            Ok(value) => drag(ui, value, range),
            Err(_) => type_in(ui, values, &address, &shown),
        },
        _ => type_in(ui, values, &address, &shown),
    };
    ui.label(field.unit);
    new.map(|new| format!("{address}={new}"))
}

/// A number that can be dragged within its range.
fn drag(ui: &mut egui::Ui, mut value: f64, range: Range) -> Option<String> {
    let speed = 0.01 * value.abs().max(1e-3);
    let within = range.low..=range.high;
    let dragged = ui.add(
        egui::DragValue::new(&mut value)
            .speed(speed)
            .range(within)
            .max_decimals(9),
    );
    // Set when the mouse lets go: the scene is read again for every value.
    let is_done = dragged.drag_stopped() || (dragged.lost_focus() && !dragged.dragged());
    let last = dragged.id.with("last");
    if dragged.changed() {
        ui.data_mut(|data| data.insert_temp(last, value));
    }
    let changed = ui.data(|data| data.get_temp::<f64>(last));
    let set = changed.filter(|_| is_done && range.contains(value))?;
    ui.data_mut(|data| data.remove::<f64>(last));
    Some(format!("{set:?}"))
}

fn choose(ui: &mut egui::Ui, address: &str, shown: &str, words: &[&str]) -> Option<String> {
    let mut new = None;
    egui::ComboBox::from_id_salt(address)
        .selected_text(shown.trim_matches('"'))
        .show_ui(ui, |ui| {
            for word in words {
                let quoted = format!("{word:?}");
                if ui.selectable_label(quoted == shown, *word).clicked() && quoted != shown {
                    new = Some(quoted);
                }
            }
        });
    new
}

/// A value as TOML.
fn type_in(ui: &mut egui::Ui, values: &mut Values, address: &str, shown: &str) -> Option<String> {
    let typed = values
        .typed
        .entry(address.to_owned())
        .or_insert_with(|| shown.to_owned());
    let response = ui.add(egui::TextEdit::singleline(typed).desired_width(150.0));
    let is_entered = response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
    (is_entered && typed != shown).then(|| typed.clone())
}
