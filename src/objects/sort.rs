//! One stable sort for everything that is ordered by numbers. Each instance of the standard one costs the page about four
//! kilobytes of program.

/// The items by their key, equal ones in the order they had.
pub(crate) fn sorted_by_number<T>(items: Vec<T>, key: impl Fn(&T) -> i64) -> Vec<T> {
    let mut order: Vec<(i64, usize)> = items.iter().enumerate().map(|(at, item)| (key(item), at)).collect();
    order.sort_unstable();
    let mut items: Vec<Option<T>> = items.into_iter().map(Some).collect();
    order.into_iter().filter_map(|(_, at)| items[at].take()).collect()
}

#[cfg(test)]
mod tests {
    use super::sorted_by_number;

    #[test]
    fn equal_keys_keep_their_order() {
        let items = vec![(2, 'a'), (1, 'b'), (2, 'c'), (1, 'd')];
        assert_eq!(sorted_by_number(items, |item| item.0), [(1, 'b'), (1, 'd'), (2, 'a'), (2, 'c')]);
    }
}
