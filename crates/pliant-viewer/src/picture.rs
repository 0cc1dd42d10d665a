//! The picture in the middle of the window: the camera, the mouse, what it draws.

use std::sync::{Arc, Mutex, PoisonError};

use eframe::egui;
use eframe::egui_glow::CallbackFn;
use pliant::geometry::Aabb;
use pliant::live::{CameraPath, SceneFacts, Snapshot};
use pliant::math::DVec3;
use pliant::render::Camera;

use crate::gl::{Canvas, Drawing, Target};
use crate::orbit;
use crate::panels::ChosenCamera;
use crate::pick::{Hit, Met, pick};

/// What a turn of the wheel by a point does to the distance.
const WHEEL: f64 = 0.002;

/// What the mouse does in the picture.
#[derive(Clone, Debug, PartialEq)]
pub enum Touch {
    /// It takes hold of what it is over.
    Grab(Hit),
    /// What it holds goes to a point [m].
    Move(DVec3),
    /// It lets go.
    Release,
    /// It draws a line across: a flat piece of these corners, in turn [m].
    Cut([DVec3; 4]),
    /// It pours at a point [m]; `None` stops that.
    Pour(Option<DVec3>),
    /// It clicks on something, or on nothing.
    Click(Option<Hit>),
}

/// The picture.
pub struct Picture {
    /// From where it is seen.
    camera: Camera,
    /// The camera of the scene that it moves with, by its place there, until somebody turns it.
    follows: Option<usize>,
    /// What is shown, and how large that is.
    pub bounds: Aabb,
    /// Whether things throw shadows.
    pub has_shadows: bool,
    canvas: Arc<Mutex<Option<Canvas>>>,
    /// Why nothing can be drawn.
    failure: Arc<Mutex<Option<String>>>,
    /// What a drag with the left button does.
    drag: Option<Drag>,
    /// The depth [m] at which it is poured.
    pours_at: Option<f64>,
}

/// What a drag with the left button does.
#[derive(Clone, Copy)]
enum Drag {
    /// It turns the camera.
    Turn,
    /// It leads what is held, at a depth [m].
    Hold(f64),
    /// It cuts, from a point of the screen on.
    Cut(egui::Pos2),
}

impl Picture {
    pub fn new() -> Self {
        let bounds = Aabb::around([DVec3::ZERO]).grown(0.5);
        Self {
            camera: Camera::framing(bounds, DVec3::Y),
            follows: None,
            bounds,
            has_shadows: true,
            canvas: Arc::default(),
            failure: Arc::default(),
            drag: None,
            pours_at: None,
        }
    }

    /// From where it is seen.
    pub fn camera(&self) -> Camera {
        self.camera
    }

    /// Sees from elsewhere, and stays there; from where it is seen already, it goes on as before.
    pub fn turn_to(&mut self, camera: Camera) {
        if camera != self.camera {
            (self.camera, self.follows) = (camera, None);
        }
    }

    /// Takes a camera that was chosen; with one of the scene it moves from now on.
    pub fn choose(&mut self, chosen: ChosenCamera) {
        match chosen {
            ChosenCamera::OfScene(number) => self.follows = Some(number),
            ChosenCamera::Still(camera) => (self.camera, self.follows) = (camera, None),
        }
    }

    /// Goes where the camera that it follows is at a time [s]. One that stays is taken and not followed: another
    /// one of its place is that of another scene.
    pub fn follow(&mut self, facts: &SceneFacts, time: f64) {
        let path = self.follows.and_then(|number| facts.cameras.get(number));
        if let Some(path) = path {
            self.camera = path.at(time);
        }
        self.follows = self.follows.filter(|_| path.is_some_and(CameraPath::moves));
    }

    /// Why nothing can be drawn, if so.
    pub fn failure(&self) -> Option<String> {
        let failure = self.failure.lock();
        failure.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Draws a moment in all the room that is left, and tells what the mouse does there.
    ///
    /// * `grabs` — whether a drag takes hold of what it starts on
    pub fn show(
        &mut self,
        ui: &mut egui::Ui,
        snapshot: Option<&Arc<Snapshot>>,
        grabs: bool,
    ) -> Vec<Touch> {
        let rect = ui.available_rect_before_wrap();
        let response = ui.allocate_rect(rect, egui::Sense::click_and_drag());
        let touches = match snapshot {
            Some(snapshot) => self.touch(&response, snapshot, grabs),
            None => Vec::new(),
        };
        if let Some(snapshot) = snapshot {
            self.paint(ui, rect, snapshot);
        }
        touches
    }

    fn touch(&mut self, response: &egui::Response, snapshot: &Snapshot, grabs: bool) -> Vec<Touch> {
        let mut touches = Vec::new();
        let left = egui::PointerButton::Primary;
        let at = response.interact_pointer_pos();
        if let (true, Some(at)) = (response.clicked_by(left), at) {
            let (from, toward) = self.ray(response.rect, at);
            touches.push(Touch::Click(pick(snapshot, from, toward, self.reach())));
        }
        if let (true, Some(at)) = (response.drag_started_by(left), at) {
            // A drag is known as one after some points: it began where the button was pressed.
            let start = response.ctx.input(|input| input.pointer.press_origin());
            touches.extend(self.begin(response, start.unwrap_or(at), snapshot, grabs));
        }
        if let (true, Some(at)) = (response.dragged_by(left), at) {
            touches.extend(self.drag(response, at));
        }
        if response.drag_stopped_by(left) {
            touches.extend(self.end(response));
        }
        if grabs {
            touches.extend(self.pour(response, snapshot));
        }
        self.look_around(response);
        touches
    }

    /// While P is held, it is poured from under the mouse, as deep in the picture as what was there at first.
    fn pour(&mut self, response: &egui::Response, snapshot: &Snapshot) -> Option<Touch> {
        let ctx = &response.ctx;
        let is_held = ctx.input(|input| input.key_down(egui::Key::P) && input.modifiers.is_none());
        let at = response.hover_pos();
        let is_typing = ctx.egui_wants_keyboard_input();
        let Some(at) = at.filter(|_| is_held && !is_typing) else {
            return self.pours_at.take().map(|_| Touch::Pour(None));
        };
        let (from, toward) = self.ray(response.rect, at);
        let depth = self.pours_at.unwrap_or_else(|| {
            let hit = pick(snapshot, from, toward, self.reach());
            let point = hit.map_or(self.camera.target, |hit| hit.point);
            (point - from).dot(orbit::axes(&self.camera)[2])
        });
        self.pours_at = Some(depth);
        Some(Touch::Pour(Some(self.at_depth(depth, (from, toward)))))
    }

    /// The point of a ray that is so deep in the picture [m].
    fn at_depth(&self, depth: f64, (from, toward): (DVec3, DVec3)) -> DVec3 {
        let ahead = orbit::axes(&self.camera)[2];
        from + toward * (depth / toward.dot(ahead).max(1e-3))
    }

    /// A drag begins: on something that can be held, it holds that; with Shift it cuts.
    fn begin(
        &mut self,
        response: &egui::Response,
        at: egui::Pos2,
        snapshot: &Snapshot,
        grabs: bool,
    ) -> Option<Touch> {
        let modifiers = response.ctx.input(|input| input.modifiers);
        self.drag = Some(Drag::Turn);
        if grabs && modifiers.shift_only() {
            self.drag = Some(Drag::Cut(at));
        }
        let (from, toward) = self.ray(response.rect, at);
        let hit = pick(snapshot, from, toward, self.reach())?;
        let can_be_held = hit.what != Met::Collider;
        if !(grabs && can_be_held && modifiers.is_none()) {
            return None;
        }
        let ahead = orbit::axes(&self.camera)[2];
        self.drag = Some(Drag::Hold((hit.point - from).dot(ahead)));
        Some(Touch::Grab(hit))
    }

    fn drag(&mut self, response: &egui::Response, at: egui::Pos2) -> Option<Touch> {
        match self.drag? {
            Drag::Hold(depth) => {
                let ray = self.ray(response.rect, at);
                Some(Touch::Move(self.at_depth(depth, ray)))
            }
            Drag::Turn => {
                let [across, down] = in_heights(response, response.drag_delta());
                orbit::turn(&mut self.camera, across, down);
                self.follows = None;
                None
            }
            Drag::Cut(start) => {
                let stroke = egui::Stroke::new(2.0, egui::Color32::WHITE);
                let above = egui::LayerId::new(egui::Order::Foreground, response.id);
                let painter = response.ctx.layer_painter(above);
                painter.line_segment([start, at], stroke);
                None
            }
        }
    }

    fn end(&mut self, response: &egui::Response) -> Option<Touch> {
        match self.drag.take()? {
            Drag::Hold(_) => Some(Touch::Release),
            Drag::Turn => None,
            Drag::Cut(start) => {
                let end = response.interact_pointer_pos()?;
                let [first, last] = [start, end].map(|at| self.ray(response.rect, at));
                let reach = self.reach();
                let near = 0.05 * self.camera.position.distance(self.camera.target);
                let along =
                    |(from, toward): (DVec3, DVec3), distance: f64| from + toward * distance;
                (start.distance(end) > 2.0).then(|| {
                    let far = [along(last, reach), along(first, reach)];
                    Touch::Cut([along(first, near), along(last, near), far[0], far[1]])
                })
            }
        }
    }

    /// Shifts and approaches.
    fn look_around(&mut self, response: &egui::Response) {
        let others = [egui::PointerButton::Secondary, egui::PointerButton::Middle];
        if others.into_iter().any(|button| response.dragged_by(button)) {
            let [across, down] = in_heights(response, response.drag_delta());
            orbit::shift(&mut self.camera, across, down);
            self.follows = None;
        }
        if response.hovered() {
            let wheel = response.ctx.input(|input| input.smooth_scroll_delta.y);
            let pinch = response.ctx.input(egui::InputState::zoom_delta);
            let factor = (-WHEEL * f64::from(wheel)).exp() / f64::from(pinch);
            if factor != 1.0 {
                orbit::approach(&mut self.camera, factor);
                self.follows = None;
            }
        }
    }

    /// From where and in which direction a point of the screen looks.
    fn ray(&self, rect: egui::Rect, at: egui::Pos2) -> (DVec3, DVec3) {
        let from_middle = at - rect.center();
        let height = rect.height().max(1.0);
        let at = [from_middle.x, from_middle.y].map(|x| f64::from(x / height));
        orbit::ray(&self.camera, at)
    }

    /// How far a ray is followed [m].
    fn reach(&self) -> f64 {
        let distance = self.camera.position.distance(self.bounds.center());
        distance + 8.0 * self.bounds.extent().max_element()
    }

    fn paint(&self, ui: &egui::Ui, rect: egui::Rect, snapshot: &Arc<Snapshot>) {
        let drawing = Drawing {
            snapshot: Arc::clone(snapshot),
            camera: self.camera,
            bounds: self.bounds,
            has_shadows: self.has_shadows,
        };
        let (canvas, failure) = (Arc::clone(&self.canvas), Arc::clone(&self.failure));
        let draw = CallbackFn::new(move |info, painter| {
            let gl = painter.gl();
            let area = info.viewport_in_pixels();
            let target = Target {
                framebuffer: painter.intermediate_fbo(),
                viewport: [
                    area.left_px,
                    area.from_bottom_px,
                    area.width_px,
                    area.height_px,
                ],
            };
            let mut canvas = canvas.lock().unwrap_or_else(PoisonError::into_inner);
            let drawn = match canvas.take() {
                Some(canvas) => Ok(canvas),
                None => Canvas::new(gl),
            };
            let drawn = drawn.and_then(|mut own| {
                own.draw(gl, &drawing, target)?;
                *canvas = Some(own);
                Ok(())
            });
            let mut failure = failure.lock().unwrap_or_else(PoisonError::into_inner);
            *failure = drawn.err();
        });
        ui.painter().add(egui::PaintCallback {
            rect,
            callback: Arc::new(draw),
        });
    }
}

/// A shift on the screen, in heights of the picture.
fn in_heights(response: &egui::Response, by: egui::Vec2) -> [f64; 2] {
    let height = response.rect.height().max(1.0);
    [by.x, by.y].map(|x| f64::from(x / height))
}
