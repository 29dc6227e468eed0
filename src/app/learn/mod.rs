//! Lessons: the gallery to choose from, and the guide through the one under way.

mod gallery;
mod guide;

pub(super) use gallery::Gallery;
pub(super) use guide::LessonGuide;
