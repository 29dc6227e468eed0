//! A run in small: a line for each pod or lane, and a line of its commands.

use crate::view::Thumbnail;
use yew::{Html, html};

/// The height of a row, and of the space below it.
const ROW: usize = 6;
const SPACE: usize = 2;

pub(super) fn picture(picture: &Thumbnail) -> Html {
    let width = picture.acts.len();
    let top = 5;
    let height = top + picture.rows.len() * (ROW + SPACE);
    let row = |(at, letters): (usize, &String)| {
        let y = (top + at * (ROW + SPACE)).to_string();
        runs(letters).into_iter().filter_map(move |(from, length, letter)| {
            let class = class(letter)?;
            Some(html! {
                <rect class={class} x={from.to_string()} y={y.clone()} width={length.to_string()} height={ROW.to_string()} />
            })
        })
    };
    let act = |(at, letter): (usize, char)| {
        let class = match letter {
            '!' => "picture__act is-fault",
            '|' => "picture__act",
            _ => return None,
        };
        Some(html! { <rect {class} x={at.to_string()} y="0" width="1" height={height.to_string()} /> })
    };
    html! {
        <svg class="picture" viewBox={format!("0 0 {width} {height}")} preserveAspectRatio="none" aria-hidden="true">
            { for picture.rows.iter().enumerate().flat_map(row) }
            { for picture.acts.chars().enumerate().filter_map(act) }
        </svg>
    }
}

/// Where each stretch of equal letters begins, and how long it is.
fn runs(letters: &str) -> Vec<(usize, usize, char)> {
    let mut runs: Vec<(usize, usize, char)> = Vec::new();
    for (at, letter) in letters.chars().enumerate() {
        match runs.last_mut() {
            Some((_, length, last)) if *last == letter => *length += 1,
            _ => runs.push((at, 1, letter)),
        }
    }
    runs
}

fn class(letter: char) -> Option<&'static str> {
    Some(match letter {
        'R' => "is-ready",
        'P' => "is-pending",
        'T' => "is-terminating",
        'F' => "is-failed",
        'U' => "is-unreachable",
        _ => return None,
    })
}
