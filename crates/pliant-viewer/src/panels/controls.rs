//! Time and picture: pause, step, restart, speed, colours, cameras.

use eframe::egui;
use pliant::live::{Command, SceneFacts, Status};
use pliant::render::{Camera, Coloring};

/// Speeds that can be chosen: simulated seconds a second.
const SPEEDS: [(&str, f64); 6] = [
    ("1/100", 0.01),
    ("1/10", 0.1),
    ("1/4", 0.25),
    ("1", 1.0),
    ("4", 4.0),
    ("as fast as it goes", f64::INFINITY),
];

/// What is chosen.
pub struct Controls {
    /// What colours show.
    pub coloring: Coloring,
    /// Whether bodies that carry a surface are shown by it.
    pub surfaces: bool,
    /// Whether things throw shadows.
    pub has_shadows: bool,
    /// Simulated seconds a second at most.
    pub speed: f64,
    /// The body that is poured.
    pub poured: Option<String>,
    /// The camera that was chosen and is to be taken.
    pub camera: Option<ChosenCamera>,
}

/// A camera of the list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ChosenCamera {
    /// One of the scene, by its place there.
    OfScene(usize),
    /// Another one, which stays.
    Still(Camera),
}

impl Controls {
    pub fn new(speed: f64) -> Self {
        Self {
            coloring: Coloring::Body,
            surfaces: true,
            has_shadows: true,
            speed,
            poured: None,
            camera: None,
        }
    }
}

/// The row of buttons; the commands they give.
pub fn show_controls(
    ui: &mut egui::Ui,
    controls: &mut Controls,
    status: Status,
    facts: Option<&SceneFacts>,
) -> Vec<Command> {
    let mut commands = Vec::new();
    ui.horizontal_wrapped(|ui| {
        let is_running = status == Status::Running;
        let label = if is_running { "pause" } else { "run" };
        if ui.button(label).on_hover_text("space").clicked() {
            commands.push(Command::Run(!is_running));
        }
        if ui.button("step").on_hover_text("one frame; s").clicked() {
            commands.push(Command::Step);
        }
        if ui.button("restart").on_hover_text("r").clicked() {
            commands.push(Command::Restart);
        }
        commands.extend(choose_speed(ui, &mut controls.speed).map(Command::Speed));
        let pourable = facts.map_or(&[][..], |facts| &facts.pourable);
        choose_poured(ui, &mut controls.poured, pourable);
        ui.separator();
        let changes = show_appearance(ui, controls, facts);
        commands.extend(changes.into_iter().map(|change| match change {
            Appearance::Color(coloring) => Command::Color(coloring),
            Appearance::Surfaces(surfaces) => Command::Surfaces(surfaces),
        }));
    });
    commands
}

/// What of the picture is chosen anew.
pub enum Appearance {
    /// What colours show.
    Color(Coloring),
    /// Whether bodies that carry a surface are shown by it.
    Surfaces(bool),
}

/// Colours, cameras, surfaces, shadows.
pub fn show_appearance(
    ui: &mut egui::Ui,
    controls: &mut Controls,
    facts: Option<&SceneFacts>,
) -> Vec<Appearance> {
    let mut changes = Vec::new();
    if let Some(facts) = facts {
        changes.extend(choose_coloring(ui, controls, facts));
        choose_camera(ui, controls, facts);
    }
    if ui.checkbox(&mut controls.surfaces, "surfaces").changed() {
        changes.push(Appearance::Surfaces(controls.surfaces));
    }
    ui.checkbox(&mut controls.has_shadows, "shadows");
    changes
}

/// Commands of keys, where no text is being typed.
pub fn keys(ctx: &egui::Context, status: Status) -> Vec<Command> {
    if ctx.egui_wants_keyboard_input() {
        return Vec::new();
    }
    let pressed = |key| ctx.input(|input| input.key_pressed(key) && input.modifiers.is_none());
    let mut commands = Vec::new();
    if pressed(egui::Key::Space) {
        commands.push(Command::Run(status != Status::Running));
    }
    if pressed(egui::Key::S) {
        commands.push(Command::Step);
    }
    if pressed(egui::Key::R) {
        commands.push(Command::Restart);
    }
    commands
}

/// A list of speeds; the one that was chosen.
pub fn choose_speed(ui: &mut egui::Ui, speed: &mut f64) -> Option<f64> {
    let before = *speed;
    let name = SPEEDS
        .iter()
        .find(|(_, value)| *value == *speed)
        .map_or("", |(name, _)| name);
    ui.label("speed");
    egui::ComboBox::from_id_salt("speed")
        .selected_text(name)
        .show_ui(ui, |ui| {
            for (name, value) in SPEEDS {
                ui.selectable_value(speed, value, name);
            }
        });
    (*speed != before).then_some(*speed)
}

/// A list of the bodies that can be poured; the first one is chosen until another one is.
fn choose_poured(ui: &mut egui::Ui, poured: &mut Option<String>, pourable: &[String]) {
    if !poured.as_ref().is_some_and(|name| pourable.contains(name)) {
        *poured = pourable.first().cloned();
    }
    let Some(poured) = poured else { return };
    ui.label("pour")
        .on_hover_text("with P held over the picture");
    egui::ComboBox::from_id_salt("pour")
        .selected_text(poured.as_str())
        .show_ui(ui, |ui| {
            for name in pourable {
                ui.selectable_value(poured, name.clone(), name);
            }
        });
}

fn choose_coloring(
    ui: &mut egui::Ui,
    controls: &mut Controls,
    facts: &SceneFacts,
) -> Option<Appearance> {
    let before = controls.coloring.clone();
    ui.label("colour");
    egui::ComboBox::from_id_salt("color")
        .selected_text(name_of(&before))
        .show_ui(ui, |ui| {
            let plain = [Coloring::Body, Coloring::Material];
            for coloring in plain.iter().chain(&facts.colorings) {
                let is_chosen = name_of(coloring) == name_of(&before);
                if ui.selectable_label(is_chosen, name_of(coloring)).clicked() {
                    controls.coloring = coloring.clone();
                }
            }
        });
    if let Coloring::Quantity { range, .. } = &mut controls.coloring {
        let mut fits = range.is_none();
        let hint = "Colours span the values of each picture instead of those expected";
        if ui.checkbox(&mut fits, "fit").on_hover_text(hint).changed() {
            let expected = facts
                .colorings
                .iter()
                .find(|c| name_of(c) == name_of(&before));
            *range = match expected {
                Some(Coloring::Quantity { range, .. }) if !fits => *range,
                _ => None,
            };
        }
    }
    (controls.coloring != before).then(|| Appearance::Color(controls.coloring.clone()))
}

fn choose_camera(ui: &mut egui::Ui, controls: &mut Controls, facts: &SceneFacts) {
    egui::ComboBox::from_id_salt("camera")
        .selected_text("camera")
        .show_ui(ui, |ui| {
            for number in 0..facts.cameras.len() {
                if ui
                    .selectable_label(false, format!("camera {}", number + 1))
                    .clicked()
                {
                    controls.camera = Some(ChosenCamera::OfScene(number));
                }
            }
            if ui.selectable_label(false, "show all").clicked() {
                let all = Camera::framing(facts.bounds, facts.up);
                controls.camera = Some(ChosenCamera::Still(all));
            }
        });
}

fn name_of(coloring: &Coloring) -> &str {
    match coloring {
        Coloring::Body => "body",
        Coloring::Material => "material",
        Coloring::Fragment => "fragment",
        Coloring::Quantity { name, .. } => name,
    }
}
