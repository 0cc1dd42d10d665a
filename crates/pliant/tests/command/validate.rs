//! `validate`.

use std::fs;

use crate::support::*;

#[test]
fn claims_are_measured_printed_and_plotted() {
    let place = Place::with(SAND);
    let said = place.pliant_succeeds("validate translation SOFT --out v");
    for part in [
        "greatest |b - I|",
        "Gauss-Seidel, tensor",
        "pass",
        "every number is as expected",
        "v/validate.html",
    ] {
        assert!(said.text.contains(part), "{part}\n{}", said.text);
    }
    assert!(said.errors.contains("1 of 2"), "{}", said.errors);
    let table = fs::read_to_string(place.path("v/validate.csv")).unwrap();
    assert!(table.starts_with("claim,what,measured,expected,verdict,seconds\n"));
    assert_eq!(table.lines().count(), 6, "{table}");
    assert!(table.lines().skip(1).all(|line| line.contains(",pass,")));
    let page = fs::read_to_string(place.path("v/validate.html")).unwrap();
    assert_eq!(page.matches("<svg").count(), 2);
    assert!(page.contains("Residual over sweeps, 1e4 Pa") && page.contains("10⁻⁴"));
    assert!(!page.contains("NaN") && !page.contains("http"));
}

#[test]
fn claims_are_listed_and_words_without_a_claim_are_refused() {
    let place = Place::with(SAND);
    let quick = place.pliant_succeeds("validate --list").text;
    let all = place.pliant_succeeds("validate --list --full").text;
    assert!(all.starts_with(&quick) && all.lines().count() > quick.lines().count());
    let said = place.pliant("validate nonsense --out v");
    assert_eq!(said.status, Some(2));
    assert!(said.errors.contains("'nonsense'") && said.errors.contains("--list"));
    let said = place.pliant("validate translation --out scene.toml");
    assert_eq!(said.status, Some(2));
    assert!(
        said.errors.contains("`scene.toml` is a file"),
        "{}",
        said.errors
    );
    assert_eq!(fs::read_dir(place.path("")).unwrap().count(), 1);
}

#[test]
fn spacing_of_a_scene_that_converges_is_halved_twice() {
    // The outermost particle of a grid is half a spacing inside: each halving halves the change.
    let block = SAND.replace(
        "cylinder = { radius = 0.1, height = 0.1 }",
        "box = { size = [0.1, 0.1, 0.1] }",
    );
    let block = block.replace("spacing = 0.03", "spacing = 0.05\nsampling = \"grid\"");
    let expecting = "[[expect]]\ncolumn = \"heap.r_max\"\nat = 0.0\nrange = [0, 1]\nconverges = ";
    let place = Place::with(&format!("{block}{expecting}true\n"));
    place.pliant_succeeds("check scene.toml");
    let said = place.pliant_succeeds("validate --scene scene.toml --out v");
    for part in [
        "scene changes less and less",
        "heap.r_max at 0 s, a quarter of the spacing",
        "change by the second halving over that by the first",
    ] {
        assert!(said.text.contains(part), "{part}\n{}", said.text);
    }
    let page = fs::read_to_string(place.path("v/validate.html")).unwrap();
    assert!(page.contains("halvings of the spacing"));
    let place = Place::with(&format!("{block}{expecting}false\n"));
    let said = place.pliant("validate --scene scene.toml");
    assert_eq!(said.status, Some(2));
    assert!(said.errors.contains("converges = true"), "{}", said.errors);
    assert_eq!(
        place.pliant("validate --scene nothing.toml").status,
        Some(2)
    );
}

#[test]
fn a_random_scene_is_checked_and_written_to_be_run() {
    let place = Place::with(SAND);
    let said = place.pliant_succeeds("validate --random 1 --first 11 --seed 1 --out v");
    for part in [
        "random scene 11 of seed 1",
        "rise of energy",
        "outside of the tank",
    ] {
        assert!(said.text.contains(part), "{part}\n{}", said.text);
    }
    let scene = fs::read_to_string(place.path("v/random/1-11.toml")).unwrap();
    assert!(
        scene.contains("[[body]]") && !scene.contains("[solver]"),
        "{scene}"
    );
    place.pliant_succeeds("check v/random/1-11.toml");
}

#[test]
fn validate_holds_finds_the_limits_of_the_default_settings() {
    let place = Place::with(SAND);
    let said = place.pliant_succeeds("validate --holds rigid --out v");
    for part in [
        "what rigid holds with default settings",
        "greatest mass of a load over that of the body",
        "load / body mass",
        "0.001 to 10000",
        "v/holds.csv",
        "every number is as expected",
    ] {
        assert!(said.text.contains(part), "{part}\n{}", said.text);
    }
    assert!(said.errors.contains("rigid, mass ratio 10000: holds"));
    let table = fs::read_to_string(place.path("v/holds.csv")).unwrap();
    assert_eq!(table.lines().count(), 12, "{table}");
    assert!(table.lines().skip(1).all(|line| line.contains(",held,")));
    let page = fs::read_to_string(place.path("v/validate.html")).unwrap();
    assert!(page.contains("Limits of the default settings"));
    place.pliant_succeeds("check v/holds/rigid-mass-ratio-0.001.toml");
    let said = place.pliant("validate --holds mercury");
    assert_eq!(said.status, Some(2));
    assert!(said.errors.contains("'strain-energy'"), "{}", said.errors);
}
