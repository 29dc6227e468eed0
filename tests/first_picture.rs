//! What index.html shows before the program is there is what the program draws first.
#![allow(clippy::unwrap_used, reason = "a test")]

use expect_test::expect_file;
use setscope::session::first;
use setscope::view::first_picture;

/// `UPDATE_EXPECT=1 cargo test --test it first_picture::` writes the file anew.
#[test]
fn the_picture_in_the_page_is_what_the_program_draws_first() {
    let picture = first_picture(&first::session().unwrap());
    assert!(!picture.contains("url(#"), "the picture in the page has no stripes");
    expect_file!["../www/first-picture.html"].assert_eq(&picture);
}
