//! Amounts of resources in the form that people give them in.

const NANO: i128 = 1_000_000_000;
const MILLI: i128 = NANO / 1_000;
/// Binary units, the largest first.
const BINARY: [(&str, i128); 4] = [("Ti", 1 << 40), ("Gi", 1 << 30), ("Mi", 1 << 20), ("Ki", 1 << 10)];

fn is_of_bytes(resource: &str) -> bool {
    ["memory", "ephemeral-storage", "storage"].contains(&resource) || resource.starts_with("hugepages-")
}

/// An amount in billionths, rounded down to what is worth saying.
pub(super) fn shown(resource: &str, nano: i128) -> String {
    if is_of_bytes(resource) { bytes(nano / NANO) } else { number(nano) }
}

fn number(nano: i128) -> String {
    match nano % NANO {
        0 => (nano / NANO).to_string(),
        _ => format!("{}m", nano / MILLI),
    }
}

/// In the largest unit that leaves a whole number; else in the one that leaves three digits or more.
fn bytes(amount: i128) -> String {
    let whole = BINARY.iter().find(|(_, unit)| amount >= *unit && amount % unit == 0);
    let near = || BINARY.iter().find(|(_, unit)| amount >= 100 * unit);
    match whole.filter(|(_, unit)| amount / unit < 10_000).or_else(near) {
        Some((name, unit)) => format!("{}{name}", amount / unit),
        None => amount.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn amounts_are_rounded_down() {
        let shown = |resource, unit: i128| shown(resource, unit * 1_000_000);
        assert_eq!(shown("cpu", 1_500), "1500m");
        assert_eq!(shown("cpu", 2_000), "2");
        assert_eq!(shown("memory", 1_000 * (3 << 30)), "3Gi");
        assert_eq!(shown("memory", 1_000 * ((3 << 30) + 5)), "3072Mi");
        assert_eq!(shown("memory", 1_000 * 5), "5");
        assert_eq!(shown("nvidia.com/gpu", 1_000), "1");
    }
}
