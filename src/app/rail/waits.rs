//! The time that pods still wait, over their cards.

use super::rows::Rows;
use crate::app::language::say;
use crate::view::{Rail, RailLayout, Wait, WaitKind};
use yew::{Html, html};

pub(super) fn waits(rail: &Rail, layout: &RailLayout, rows: &Rows) -> Html {
    html! { <>{ for rail.waits.iter().filter_map(|one| wait(rail, layout, rows, one)) }</> }
}

fn wait(rail: &Rail, layout: &RailLayout, rows: &Rows, wait: &Wait) -> Option<Html> {
    let at = rail.places.binary_search_by_key(&wait.ordinal, |place| place.ordinal).ok()?;
    let folded = layout.rows.iter().any(|row| row.folded && (row.from..row.to).contains(&at));
    let (left, top) = rows.place(layout, at);
    let (class, words) = match wait.kind {
        WaitKind::Readiness => ("rail__wait rail__wait--readiness", text!("Ready in {}", wait.left)),
        WaitKind::Grace => ("rail__wait rail__wait--grace", text!("Its grace period ends in {}", wait.left)),
    };
    let style =
        format!("height:{:.0}px;transform:translate({left:.2}px,{top:.0}px);--left:{}%", rows.high, wait.percent);
    (!folded).then(|| {
        html! {
            <span key={wait.ordinal} {class} {style}>
                <span class="unseen">{ say(words) }</span>
                <span class="rail__left" aria-hidden="true">{ say(&wait.left) }</span>
                <i class="rail__draining" aria-hidden="true" />
            </span>
        }
    })
}
