//! The rail as a whole. Tiles and flags share one flowing row: `order` puts a flag between two places without moving its
//! element, which keeps the focus on it.

use super::flag::FlagPole;
use super::tile::PodTile;
use crate::app::dispatch::use_dispatch;
use crate::app::state::{Msg, Origin};
use crate::objects::ObjectRef;
use crate::session::Command;
use crate::view::{Density, Rail};
use std::rc::Rc;
use yew::prelude::*;

/// So many places fit into one row of the usual stage.
const FEW: usize = 4;

#[derive(Properties, PartialEq)]
pub(crate) struct RailBoardProps {
    pub(crate) rail: Rc<Rail>,
    /// The pod whose menu is open.
    pub(crate) open: Option<Rc<str>>,
    pub(crate) set: Option<ObjectRef>,
}

/// The rail.
#[component]
pub(crate) fn RailBoard(props: &RailBoardProps) -> Html {
    let dispatch = use_dispatch();
    let rail = &props.rail;
    let on_open = {
        let dispatch = dispatch.clone();
        use_callback((), move |pod: Option<Rc<str>>, ()| dispatch.send(Msg::Open(pod)))
    };
    let send = |origin: Origin, make: fn(ObjectRef, i32) -> Command| {
        let (dispatch, set) = (dispatch.clone(), props.set.clone());
        Callback::from(move |value: i32| {
            set.iter().for_each(|set| dispatch.command(make(set.clone(), value), origin.clone()));
        })
    };
    let at = |flag: &Option<crate::view::Flag>| flag.as_ref().map(|flag| flag.at);
    let shared = rail.partition.is_some() && at(&rail.partition) == at(&rail.replicas);
    html! {
        <div class={classes!("rail", density(rail.density), shared.then_some("rail--shared"), (rail.places.len() <= FEW).then_some("rail--few"))}>
            <div class="rail__list" role="list" aria-label="Pods by ordinal">
                for place in rail.places.iter() {
                    <PodTile key={place.key.clone()} place={place.clone()} density={rail.density} on_open={on_open.clone()}
                        open={place.pod.is_some() && props.open.as_deref() == Some(place.name.as_str())} />
                }
            </div>
            if let Some(flag) = &rail.partition {
                <FlagPole flag={flag.clone()} name="partition" turn={1}
                    on_move={send(Origin::Rail, |set, partition| Command::SetPartition { set, partition })} />
            }
            if let Some(flag) = &rail.replicas {
                <FlagPole flag={flag.clone()} name="replicas" turn={2}
                    on_move={send(Origin::Rail, |set, replicas| Command::Scale { set, replicas })} />
            }
        </div>
    }
}

fn density(density: Density) -> &'static str {
    match density {
        Density::Card => "rail--card",
        Density::Chip => "rail--chip",
        Density::Cell => "rail--cell",
    }
}
