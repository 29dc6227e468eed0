//! Long work with pauses, in which whoever runs it may do something else, or leave it.

use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

/// So many pieces of work lie between two pauses.
const PIECES: usize = 64;

/// Work that is under way.
pub(crate) type Work<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// A pause, unless it is over.
pub(crate) struct Pause {
    is_over: bool,
}

impl Future for Pause {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if std::mem::replace(&mut self.is_over, true) { Poll::Ready(()) } else { Poll::Pending }
    }
}

/// A pause after every so many-th piece of work.
pub(crate) fn pause_after(piece: usize) -> Pause {
    Pause { is_over: !(piece + 1).is_multiple_of(PIECES) }
}

/// Lets work go on to its next pause; what came of it once it is done.
pub(crate) fn go_on<T>(work: Pin<&mut (impl Future<Output = T> + ?Sized)>) -> Option<T> {
    match work.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(done) => Some(done),
        Poll::Pending => None,
    }
}

/// Does work without a pause.
pub(crate) fn finish<T>(work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    loop {
        if let Some(done) = go_on(work.as_mut()) {
            return done;
        }
    }
}
