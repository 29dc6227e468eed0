use crate::page::{Focus, Key, message};

fn press(key: &str) -> Key<'_> {
    Key { key, code: "", shift: false, command: false, alt: false, used: false, focus: Focus::Page }
}

/// The message's name, or nothing.
fn meaning(key: &Key<'_>) -> String {
    message(key).map_or_else(String::new, |msg| format!("{msg:?}"))
}

#[test]
fn each_key_of_the_list_does_what_the_list_says() {
    let with_shift = |key| Key { shift: true, ..press(key) };
    let with_command = |key| Key { command: true, ..press(key) };
    let known = [
        (press(" "), "Toggle"),
        (press("."), "Step"),
        (press("ArrowRight"), "Step"),
        (press(","), "StepBack"),
        (press("ArrowLeft"), "StepBack"),
        (with_shift("ArrowRight"), "StepSync"),
        (with_shift(">"), "StepSync"),
        (with_shift("ArrowLeft"), "StepSyncBack"),
        (with_shift("<"), "StepSyncBack"),
        (press("Home"), "ToStart"),
        (press("End"), "RunUntilSettled"),
        (press("?"), "Help(true)"),
        (press("Escape"), "Cover(None)"),
        (with_command("k"), "Inspector(Prompt)"),
        (with_command("z"), "Undo"),
        (Key { shift: true, ..with_command("Z") }, "Redo"),
        (with_command("y"), "Redo"),
        (press("a"), ""),
        (with_command("ArrowRight"), ""),
        (Key { alt: true, ..press(".") }, ""),
        (Key { used: true, ..press(".") }, ""),
    ];
    for (key, expected) in known {
        assert_eq!(meaning(&key), expected, "{key:?}");
    }
}

#[test]
fn on_a_german_keyboard_the_keys_of_the_period_and_the_comma_step_too() {
    assert_eq!(meaning(&Key { code: "Period", shift: true, ..press(":") }), "StepSync");
    assert_eq!(meaning(&Key { code: "Comma", shift: true, ..press(";") }), "StepSyncBack");
}

#[test]
fn what_has_the_focus_keeps_its_own_keys() {
    let at = |focus, key| meaning(&Key { focus, ..press(key) });
    assert_eq!(at(Focus::Button, " "), "", "Space presses the button");
    assert_eq!(at(Focus::Button, "."), "Step");
    assert_eq!(at(Focus::Widget, "ArrowRight"), "", "the arrow moves the slider");
    assert_eq!(at(Focus::Widget, "Escape"), "Cover(None)");
    for key in [" ", ".", "ArrowRight", "Home", "?", "Escape"] {
        assert_eq!(at(Focus::Field, key), "", "{key} is the field's");
        assert_eq!(at(Focus::Modal, key), "", "{key} is the dialog's");
    }
    for key in [" ", "ArrowLeft", "ArrowRight", "Home", "End"] {
        assert_eq!(at(Focus::Scroller, key), "", "{key} scrolls");
    }
    assert_eq!((at(Focus::Scroller, "."), at(Focus::Scroller, "Escape")), ("Step".into(), "Cover(None)".into()));
    let undo = Key { command: true, focus: Focus::Field, ..press("z") };
    assert_eq!(meaning(&undo), "", "typed text has an undo of its own");
}

#[test]
fn the_kubectl_line_is_reached_from_anywhere() {
    for focus in [Focus::Page, Focus::Button, Focus::Widget, Focus::Scroller, Focus::Field] {
        // With caps lock it is a capital letter.
        for key in ["k", "K"] {
            let pressed = Key { command: true, used: true, focus, ..press(key) };
            assert_eq!(meaning(&pressed), "Inspector(Prompt)");
            assert_eq!(meaning(&Key { shift: true, ..pressed }), "", "the browser's own");
            assert_eq!(meaning(&Key { alt: true, ..pressed }), "");
        }
    }
    assert_eq!(meaning(&Key { command: true, focus: Focus::Modal, ..press("k") }), "", "it is under the dialog");
}
