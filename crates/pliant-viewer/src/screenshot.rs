//! A picture of the window in a file.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use eframe::egui;
use pliant::io::write_bytes;
use pliant::render::Picture;
use pliant::render::picture::encode_png;

/// A picture that was asked for and may have arrived.
#[derive(Clone, Default)]
pub struct Screenshot {
    image: Arc<Mutex<Option<Arc<egui::ColorImage>>>>,
}

impl Screenshot {
    /// Asks for a picture of the next frame.
    pub fn request(ctx: &egui::Context) -> Self {
        let own = Self::default();
        let (image, again) = (Arc::clone(&own.image), ctx.clone());
        ctx.request_screenshot(move |picture| {
            *image.lock().unwrap_or_else(PoisonError::into_inner) = Some(picture);
            again.request_repaint();
        });
        own
    }

    /// Writes it once it is there. `None` if it is not yet.
    pub fn write(&self, file: &Path) -> Option<Result<(), String>> {
        let image = self
            .image
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()?;
        let [width, height] = image.size.map(|side| side as u32);
        let mut picture = Picture::filled(width, height, [0; 3]);
        for (pixel, color) in picture.rgb.chunks_exact_mut(3).zip(&image.pixels) {
            pixel.copy_from_slice(&color.to_array()[..3]);
        }
        let bytes = encode_png(&picture).map_err(|why| why.to_string());
        Some(bytes.and_then(|bytes| write_bytes(file, &bytes).map_err(|why| why.to_string())))
    }
}
