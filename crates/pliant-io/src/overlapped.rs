//! Writing a file while the next bytes of it are being computed, on a thread of its own.

use std::io::{self, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// Bytes that are handed over at a time.
const BLOCK: usize = 1 << 18;

/// Blocks that are on their way at most: what is written may wait for the disk, and takes no more
/// memory then.
const BLOCKS: usize = 4;

/// Lets `write` write into `out` through another thread.
///
/// # Errors
/// What `out` says, or `write`.
pub(crate) fn write_overlapped(
    mut out: impl Write + Send,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let (full_sender, full) = sync_channel::<Vec<u8>>(BLOCKS);
    let (empty_sender, empty) = sync_channel(BLOCKS);
    thread::scope(|scope| {
        let writing = scope.spawn(move || {
            for mut block in full {
                out.write_all(&block)?;
                block.clear();
                // Nobody may wait for it any more.
                let _ = empty_sender.send(block);
            }
            out.flush()
        });
        let mut blocks = Blocks {
            block: Vec::with_capacity(BLOCK),
            handed_over: 0,
            full: full_sender,
            empty,
        };
        let computed = write(&mut blocks).and_then(|()| blocks.flush());
        drop(blocks);
        // The reason why nothing more could be handed over is known there.
        match writing.join() {
            Ok(written) => written.and(computed),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// Collects bytes and hands them over.
struct Blocks {
    block: Vec<u8>,
    handed_over: usize,
    full: SyncSender<Vec<u8>>,
    empty: Receiver<Vec<u8>>,
}

impl Write for Blocks {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(BLOCK - self.block.len());
        self.block.extend_from_slice(&bytes[..taken]);
        if self.block.len() == BLOCK {
            self.flush()?;
        }
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        let has_stopped = |_| io::Error::from(io::ErrorKind::BrokenPipe);
        let next = match self.handed_over < BLOCKS {
            true => Vec::with_capacity(BLOCK),
            false => self.empty.recv().map_err(|_| has_stopped(()))?,
        };
        self.handed_over += 1;
        let block = std::mem::replace(&mut self.block, next);
        self.full.send(block).map_err(|_| has_stopped(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes so many bytes and is full then.
    struct Disk {
        bytes: Vec<u8>,
        room: usize,
    }

    impl Write for &mut Disk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.bytes.len() + bytes.len() > self.room {
                return Err(io::ErrorKind::StorageFull.into());
            }
            self.bytes.extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn disk(room: usize) -> Disk {
        Disk {
            bytes: Vec::new(),
            room,
        }
    }

    #[test]
    fn bytes_arrive_in_their_order_whatever_the_pieces() {
        let bytes: Vec<u8> = (0..20 * BLOCK + 7).map(|i| (i % 251) as u8).collect();
        for piece in [1000, BLOCK, 3 * BLOCK + 1] {
            let mut disk = disk(usize::MAX);
            let pieces =
                |out: &mut dyn Write| bytes.chunks(piece).try_for_each(|p| out.write_all(p));
            write_overlapped(&mut disk, pieces).unwrap();
            assert!(disk.bytes == bytes);
        }
        let mut nothing = disk(0);
        write_overlapped(&mut nothing, |_| Ok(())).unwrap();
        assert!(nothing.bytes.is_empty());
    }

    #[test]
    fn a_full_disk_is_the_error_and_nothing_waits_for_it() {
        for room in [0, 3 * BLOCK, 9 * BLOCK] {
            let mut disk = disk(room);
            let error = write_overlapped(&mut disk, |out| {
                (0..100).try_for_each(|_| out.write_all(&[1; BLOCK / 2]))
            });
            assert_eq!(error.unwrap_err().kind(), io::ErrorKind::StorageFull);
        }
    }

    #[test]
    fn an_error_of_what_is_computed_is_told() {
        let mut disk = disk(usize::MAX);
        let error = write_overlapped(&mut disk, |out| {
            out.write_all(&[1; 2 * BLOCK])?;
            Err(io::ErrorKind::InvalidData.into())
        });
        assert_eq!(error.unwrap_err().kind(), io::ErrorKind::InvalidData);
    }
}
