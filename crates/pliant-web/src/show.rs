//! What a page shows of the moment: a picture in bytes, and columns as they grow.

use pliant_core::measure::{FrameBuffers, FrameReport};
use pliant_core::world::World;
use pliant_render::{Coloring, RenderError};
use pliant_view::{Measurements, PageColumns, Painted, SceneFacts, Snapshot, UnknownColumn};

/// What is shown, and how.
pub(crate) struct Show {
    buffers: FrameBuffers,
    columns: PageColumns,
    painted: Painted,
    bytes: Vec<u8>,
    /// The columns that are plotted.
    plotted: Vec<String>,
    /// Their values that nobody has taken yet: of each frame its time [s] and a value of each column.
    rows: Vec<f64>,
    /// What the last frame was like.
    report: FrameReport,
}

impl Show {
    pub fn new(coloring: Coloring) -> Self {
        Self {
            buffers: FrameBuffers::default(),
            columns: PageColumns::default(),
            painted: Painted {
                coloring,
                surfaces: true,
            },
            bytes: Vec::new(),
            plotted: Vec::new(),
            rows: Vec::new(),
            report: FrameReport::default(),
        }
    }

    /// A new start: nothing was measured yet.
    pub fn start(&mut self) {
        self.buffers = FrameBuffers::default();
        self.rows.clear();
        self.report = FrameReport::default();
    }

    /// Colours particles by something else from now on.
    pub fn color(&mut self, coloring: Coloring) {
        self.painted.coloring = coloring;
    }

    /// The bytes of the moment that a world is in; see [`PageColumns`].
    ///
    /// # Errors
    /// If the world has no quantity of the name that colours show; they are those of bodies from then on.
    pub fn picture(&mut self, world: &World, facts: &SceneFacts) -> Result<&[u8], RenderError> {
        let shown = Snapshot::of(world, &mut self.buffers, &self.painted);
        let shown = shown.inspect_err(|_| self.painted.coloring = Coloring::Body)?;
        self.bytes.clear();
        self.columns.add(&mut self.bytes, &shown, &facts.bounds);
        Ok(&self.bytes)
    }

    /// The bytes of the last picture.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Plots other columns from now on, with their values as they are now.
    ///
    /// # Errors
    /// The first name that no column has; the same as before are plotted then.
    pub fn plot(
        &mut self,
        columns: Vec<String>,
        world: &World,
        measurements: &Measurements,
    ) -> Result<(), String> {
        let names: Vec<&str> = columns.iter().map(String::as_str).collect();
        let values = measurements.values(&names, world, &self.report);
        let values = values.map_err(|UnknownColumn(name)| name.to_owned())?;
        self.rows.clear();
        self.note(world.state.time, values);
        self.plotted = columns;
        Ok(())
    }

    /// A frame is done: its values are noted.
    pub fn frame_done(&mut self, report: FrameReport, world: &World, measurements: &Measurements) {
        self.report = report;
        let names: Vec<&str> = self.plotted.iter().map(String::as_str).collect();
        match measurements.values(&names, world, &self.report) {
            Ok(values) => self.note(world.state.time, values),
            // Columns that a changed scene has no more are plotted no more.
            Err(_) => self.plotted.clear(),
        }
    }

    /// A row of no columns says nothing.
    fn note(&mut self, time: f64, values: Vec<f64>) {
        if !values.is_empty() {
            self.rows.push(time);
            self.rows.extend(values);
        }
    }

    /// Takes the values of the frames since the last time.
    pub fn take_rows(&mut self) -> Vec<f64> {
        std::mem::take(&mut self.rows)
    }
}
