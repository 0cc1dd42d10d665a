//! Pictures made on a thread of their own while the next frame is simulated.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use pliant_core::measure::FrameBuffers;
use pliant_core::parallel::Pool;
use pliant_io::{NumberedFiles, write_bytes};
use pliant_render::picture::encode_png;
use pliant_render::{Renderer, Settings};
use pliant_scene::{Scene, SceneErrors};
use pliant_view::CameraPath;

use super::RunError;
use crate::environment::environment_of;
use crate::shown::in_pictures;

/// Frames that may wait for their picture; a slower painter makes the simulation wait.
const WAITING: usize = 2;

/// Refuses pictures that cannot be made.
///
/// # Errors
/// If the environment map that shall light them cannot be read.
pub fn check_pictures(scene: &Scene) -> Result<(), SceneErrors> {
    environment_of(scene).map(|_| ())
}

/// A thread that turns frames into picture files.
#[derive(Debug)]
pub struct Pictures {
    sender: Option<SyncSender<Job>>,
    painter: Option<JoinHandle<Result<(), RunError>>>,
}

enum Job {
    Paint(Box<FrameBuffers>),
    /// Answers once everything before it is written.
    Answer(SyncSender<()>),
}

impl Pictures {
    /// Starts the thread. It paints with so many threads; 0 takes one a core.
    ///
    /// # Errors
    /// If the system gives no threads.
    pub fn start(
        files: NumberedFiles,
        settings: Settings,
        camera: CameraPath,
        threads: usize,
    ) -> Result<Self, RunError> {
        let pool = Pool::new(threads)?;
        let (sender, receiver) = sync_channel(WAITING);
        let painter = std::thread::spawn(move || {
            let mut renderer = Renderer::new(settings);
            paint_all(&receiver, |frame| {
                let picture = pool.run(|| {
                    let columns = in_pictures(&frame.frame(), frame.surface().as_ref());
                    let camera = camera.at(frame.frame().time);
                    renderer.render(&frame.show(&columns), &camera)
                })?;
                let png = encode_png(&picture)?;
                Ok(write_bytes(&files.path(frame.frame().number), &png)?)
            })
        });
        Ok(Self {
            sender: Some(sender),
            painter: Some(painter),
        })
    }

    /// Hands a frame over; waits while too many are waiting.
    ///
    /// # Errors
    /// What went wrong with an earlier picture.
    pub fn paint(&mut self, frame: FrameBuffers) -> Result<(), RunError> {
        self.send(Job::Paint(Box::new(frame)))
    }

    /// Waits until every picture is written.
    ///
    /// # Errors
    /// What went wrong with one of them.
    pub fn wait(&mut self) -> Result<(), RunError> {
        let (answer, answered) = sync_channel(1);
        self.send(Job::Answer(answer))?;
        answered.recv().or_else(|_| self.finish())
    }

    /// Waits until every picture is written and ends the thread.
    ///
    /// # Errors
    /// What went wrong with one of them.
    pub fn finish(&mut self) -> Result<(), RunError> {
        self.sender = None;
        match self.painter.take().map(JoinHandle::join) {
            Some(Ok(result)) => result,
            Some(Err(_)) => Err(RunError::PicturesStopped),
            None => Ok(()),
        }
    }

    fn send(&mut self, job: Job) -> Result<(), RunError> {
        let sent = self.sender.as_ref().is_some_and(|s| s.send(job).is_ok());
        if sent {
            return Ok(());
        }
        // The thread ends early only after a failure, which it hands over here.
        self.finish()?;
        Err(RunError::PicturesStopped)
    }
}

impl Drop for Pictures {
    fn drop(&mut self) {
        // Whoever drops it without finishing has a failure of their own to tell.
        let _ = self.finish();
    }
}

fn paint_all(
    jobs: &Receiver<Job>,
    mut paint: impl FnMut(&FrameBuffers) -> Result<(), RunError>,
) -> Result<(), RunError> {
    for job in jobs {
        match job {
            Job::Paint(frame) => paint(&frame)?,
            // Nobody waits any more if this fails.
            Job::Answer(answer) => drop(answer.send(())),
        }
    }
    Ok(())
}
