//! What can be set, as it stands now, and the same as kubectl commands.

use super::context::Context;
use super::kubectl::command_line;
use super::rail::partition_means;
use super::{Controls, KubectlLines};
use crate::objects::UpdateStrategyType;
use crate::session::Command;
use std::rc::Rc;

pub(super) fn controls(context: &Context<'_>) -> Controls {
    let (set, spec, settings) = (context.set, &context.set.spec, context.cluster.settings());
    let container = spec.template.spec.containers.first();
    let name = container.map_or_else(|| "".into(), |container| Rc::clone(&container.name));
    let image = container.map_or_else(|| "".into(), |container| Rc::clone(&container.image));
    let next_image: Rc<str> = next_image(&image).into();
    let rolling = spec.update_strategy.strategy_type == UpdateStrategyType::RollingUpdate;
    let partition = spec.update_strategy.rolling_update.as_ref().and_then(|update| update.partition);
    let shown = partition.unwrap_or(0);
    let key = || context.key.clone();
    let own = |uid: &Rc<str>| *uid == set.metadata.uid;
    let history = context
        .revisions
        .iter()
        .filter(|revision| revision.metadata.controller_of().is_some_and(|owner| own(&owner.uid)));
    Controls {
        set: key(),
        release: context.cluster.release().name().to_owned(),
        replicas: set.replicas(),
        policy: spec.pod_management_policy,
        strategy: spec.update_strategy.strategy_type,
        partition: rolling.then_some(shown),
        partition_means: if rolling {
            partition_means(context.name(), shown, set.replicas())
        } else {
            "OnDelete has no partition".to_owned()
        },
        behaviour: settings.images.get(&next_image).copied().unwrap_or_default(),
        can_roll_back: history.count() > 1,
        readiness: settings.readiness,
        kubectl: KubectlLines {
            replicas: command_line(&Command::Scale { set: key(), replicas: set.replicas() }),
            policy: command_line(&Command::SetPolicy { set: key(), policy: spec.pod_management_policy }),
            strategy: command_line(&Command::SetStrategy { set: key(), strategy: spec.update_strategy.strategy_type }),
            partition: command_line(&Command::SetPartition { set: key(), partition: shown }),
            image: command_line(&Command::SetImage {
                set: key(),
                container: Rc::clone(&name),
                image: Rc::clone(&next_image),
            }),
            undo: command_line(&Command::RollBack { set: key(), to: 0 }),
        },
        container: name,
        image,
        next_image,
    }
}

/// The image with the last number of its tag raised by one; a tag without a number becomes `v2`.
fn next_image(image: &str) -> String {
    // A digest names one build; the next one has another, which nobody knows.
    let image = image.split_once('@').map_or(image, |(named, _)| named);
    let (base, tag) = match image.rsplit_once(':') {
        Some((base, tag)) if !tag.contains('/') => (base, tag),
        _ => (image, "latest"),
    };
    let Some(end) = tag.rfind(|character: char| character.is_ascii_digit()).map(|at| at + 1) else {
        return format!("{base}:v2");
    };
    let start = tag[..end]
        .rfind(|character: char| !character.is_ascii_digit())
        .map_or(0, |at| at + tag[at..].chars().next().map_or(1, char::len_utf8));
    match tag[start..end].parse::<u64>() {
        Ok(number) => format!("{base}:{}{}{}", &tag[..start], number.saturating_add(1), &tag[end..]),
        Err(_) => format!("{base}:v2"),
    }
}

#[cfg(test)]
mod tests {
    use super::next_image;

    #[test]
    fn the_next_image_has_the_next_number() {
        let check = |image: &str, want: &str| assert_eq!(next_image(image), want);
        check("nginx:1.27", "nginx:1.28");
        check("k8s.gcr.io/nginx-slim:0.8", "k8s.gcr.io/nginx-slim:0.9");
        check("localhost:5000/app", "localhost:5000/app:v2");
        check("app:v9-alpine", "app:v10-alpine");
        check("app", "app:v2");
        check("app:stable", "app:v2");
        check("app@sha256:0a1b2c", "app:v2");
        check("app:1.9@sha256:0a1b2c", "app:1.10");
        check("app:99999999999999999999", "app:v2");
    }
}
