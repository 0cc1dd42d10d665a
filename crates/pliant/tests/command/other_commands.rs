//! `check`, `test`, `render`, `schema`, `list`, `new`.

use std::fs;

use pliant_materials::MaterialPreset;
use pliant_render::picture::decode_png;

use crate::support::*;

#[test]
fn check_prints_particles_substeps_and_sound_ratio_without_running() {
    let place = Place::with(SAND);
    let said = place.pliant_succeeds("check scene.toml");
    for part in [
        "column",
        "substep",
        "memory",
        "c dt/r",
        "6 and the initial one",
    ] {
        assert!(said.text.contains(part), "{part}\n{}", said.text);
    }
    assert_eq!(files(&place.path("")).len(), 1);
}

#[test]
fn check_tells_how_large_meshes_and_bodies_are() {
    let scene = "scene.duration = 1.0\n[material.gum]\npreset = \"silicone\"\n[[body]]\nname = \"block\"\n\
                 material = \"gum\"\nspacing = 0.05\n\
                 shape = { mesh = { file = \"block.obj\", scale = 0.001 } }\n";
    let place = Place::with(scene);
    // In millimetres.
    let corner = |k: u32| format!("v {} {} {}\n", k % 2 * 200, k / 2 % 2 * 300, k / 4 * 400);
    let corners: String = (0..8).map(corner).collect();
    let faces = "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
    fs::write(place.path("block.obj"), format!("{corners}{faces}")).unwrap();
    let said = place.pliant_succeeds("check scene.toml").text;
    let row = |name: &str| {
        let mut rows = said.lines();
        rows.find(|line| line.starts_with(name)).unwrap_or_default()
    };
    let mesh = row("block.obj ");
    assert!(
        mesh.contains("200 x 300 x 400") && mesh.contains("closed"),
        "{said}"
    );
    assert!(row("block ").contains(" x 0.4"), "{said}");
    // A second block half in the first one: 36e6 cubic millimetres together.
    let again = corners
        .replace("v 0 ", "v 300 ")
        .replace("v 200 ", "v 100 ");
    let other =
        "f 11 9 10 12\nf 14 13 15 16\nf 10 9 13 14\nf 15 11 12 16\nf 13 9 11 15\nf 12 10 14 16\n";
    let both = format!("{corners}{again}{faces}{other}");
    fs::write(place.path("block.obj"), both).unwrap();
    let said = place.pliant_succeeds("check scene.toml").text;
    assert!(
        said.contains("volume 36") || said.contains("volume 3.6"),
        "{said}"
    );
    let as_it_is = scene.replace(", scale = 0.001", "").replace("0.05", "50.0");
    fs::write(place.path("large.toml"), as_it_is).unwrap();
    let said = place.pliant_succeeds("check large.toml").text;
    assert!(
        said.contains("is 400 m across") && said.contains("0.001"),
        "{said}"
    );
    let open = faces.replace("f 5 6 8 7\n", "");
    fs::write(place.path("block.obj"), format!("{corners}{open}")).unwrap();
    let told = place.pliant("check scene.toml").errors;
    assert!(
        told.contains("block.obj") && told.contains("open"),
        "{told}"
    );
}

#[test]
fn check_tells_the_sizes_of_bodies_whatever_their_particles_stand_for() {
    let scene = "scene.duration = 1.0\n[material.gum]\npreset = \"silicone\"\n\
                 [material.steel]\nlaw = \"rigid\"\ndensity = 7800.0\n\
                 [material.cotton]\nlaw = \"cloth\"\ndensity = 400.0\nthickness = 4e-4\nwarp_stiffness = 4000.0\n\
                 weft_stiffness = 4000.0\n\
                 [[body]]\nname = \"solid\"\nmaterial = \"gum\"\nspacing = 0.05\nsampling = \"grid\"\n\
                 shape = { box = { size = [0.2, 0.3, 0.1] } }\nposition = [1.0, 1.0, 0.0]\n\
                 [[body]]\nname = \"groups\"\nmaterial = \"gum\"\nmethod = \"shape-groups\"\nspacing = 0.05\n\
                 shape = { box = { size = [0.2, 0.3, 0.1] } }\nposition = [2.0, 1.0, 0.0]\n\
                 [[body]]\nname = \"sheet\"\nmaterial = \"cotton\"\nspacing = 0.05\n\
                 shape = { sheet = { size = [0.2, 0.3] } }\nposition = [3.0, 1.0, 0.0]\n\
                 [[body]]\nname = \"weight\"\nmaterial = \"steel\"\n\
                 shape = { box = { size = [0.2, 0.3, 0.1] } }\nposition = [4.0, 1.0, 0.0]\n";
    let said = Place::with(scene).pliant_succeeds("check scene.toml").text;
    for (name, size) in [
        ("solid", "0.2 x 0.3 x 0.1"),
        ("groups", "0.2 x 0.3 x 0.1"),
        ("sheet", "0.2 x 0 x 0.3"),
        ("weight", "0.2 x 0.3 x 0.1"),
    ] {
        let mut rows = said.lines();
        let row = rows.find(|row| row.starts_with(name) && row.ends_with(size));
        assert!(row.is_some(), "{name}: {said}");
    }
}

#[test]
fn check_tells_how_many_groups_a_body_has_and_how_they_are_solved() {
    let check = |scene: &str| Place::with(scene).pliant_succeeds("check scene.toml").text;
    let scene = |further: &str| {
        format!(
            "scene.duration = 1.0\n{further}\n[material.gum]\npreset = \"silicone\"\n[[body]]\nname = \"cube\"\n\
             material = \"gum\"\nmethod = \"shape-groups\"\nspacing = 0.05\n\
             shape = {{ box = {{ size = [0.2, 0.2, 0.1] }} }}\n"
        )
    };
    let text = check(&scene(""));
    assert!(
        text.contains("body cube: 32 groups, the stress of each; a wave"),
        "{text}"
    );
    let law = "law = \"polynomial-neo-hookean\"\ndensity = 1000.0\nyoungs_modulus = 1e5\npoissons_ratio = 0.4";
    let of_law = |further: &str| scene(further).replace("preset = \"silicone\"", law);
    let text = check(&of_law("solver.iterations = 1"));
    assert!(text.contains("both constraints"), "{text}");
    assert!(text.contains("crosses 0.20 spacings"), "{text}");
    // Sweeps that find the stress of longer steps.
    let text = check(&of_law(""));
    assert!(text.contains("the stress of each"), "{text}");
    // Steps too long for both constraints.
    let text = check(&of_law("solver.iterations = 1\nsolver.time_step = 5e-3"));
    assert!(text.contains("the stress of each"), "{text}");
    let text = check(&of_law("solver.shape-groups.solve = \"energy\""));
    assert!(text.contains("one constraint"), "{text}");
}

#[test]
fn check_shows_every_value_of_a_preset_and_where_it_is_from() {
    let sand = "law = \"drucker-prager\"\ndensity = 1600.0\nyoungs_modulus = 2e5\npoissons_ratio = 0.3\nfriction_angle = 30.0";
    let place = Place::with(&SAND.replace(sand, "preset = \"mud\"\ndensity = 1450"));
    let said = place.pliant_succeeds("check scene.toml");
    let preset = MaterialPreset::named("mud").unwrap();
    assert!(said.text.contains(preset.source), "{}", said.text);
    let shown = |key: &str| {
        let line = said.text.lines().find(|l| l.trim_start().starts_with(key));
        line.unwrap_or_else(|| panic!("no {key} in\n{}", said.text))
    };
    assert!(shown("density ").contains("1450"), "{}", said.text);
    for (key, _) in preset.values {
        shown(&format!("{key} "));
    }
}

#[test]
fn test_prints_what_passes_and_what_falls_short() {
    let expecting = |low: f64| {
        format!(
            "{SAND}[[expect]]\ncolumn = \"particles\"\nat = \"min\"\nrange = [{low}, 1000.0]\nsource = \"counted\"\n"
        )
    };
    let place = Place::with(&expecting(50.0));
    let said = place.pliant_succeeds("test scene.toml --set scene.duration=0.1");
    assert!(
        said.text.contains("pass") && said.text.contains("counted"),
        "{}",
        said.text
    );
    fs::create_dir(place.path("scenes")).unwrap();
    fs::write(place.path("scenes/short.toml"), expecting(999.0)).unwrap();
    fs::write(place.path("scenes/good.toml"), expecting(50.0)).unwrap();
    let said = place.pliant("test scenes --set scene.duration=0.1");
    assert_eq!(said.status, Some(1));
    assert!(
        said.text.contains("FAIL") && said.text.contains("pass"),
        "{}",
        said.text
    );
    assert!(said.errors.contains("1 pass, 1 fail"), "{}", said.errors);
}

#[test]
fn render_makes_pictures_of_another_size_and_colour() {
    let place = Place::with(SAND);
    place.pliant_succeeds("run scene.toml --out a --frames 3 -q");
    assert!(!place.path("a/preview/0001.png").exists());
    place.pliant_succeeds("render a --size 160x90 --color-by speed --position 0.5,0.4,0.6 -q");
    let picture = |frame: u32| {
        let bytes = fs::read(place.path(&format!("a/preview/{frame:04}.png"))).unwrap();
        decode_png(&bytes).unwrap()
    };
    assert_eq!((picture(4).width, picture(4).height), (160, 90));
    let by_speed = picture(4);
    place.pliant_succeeds("render a --size 160x90 --position 0.5,0.4,0.6 --frames 3..4 -q");
    assert_ne!(picture(4), by_speed);
    assert!(!place.path("a/preview/0001.png").exists());
    let manifest = fs::read_to_string(place.path("a/run.json")).unwrap();
    assert!(manifest.contains("preview/film."));
}

#[test]
fn films_are_of_the_format_that_is_asked_for() {
    let place = Place::with(SAND);
    place.pliant_succeeds(
        "run scene.toml --frames 3 --set output.film=\"gif\" --set output.preview=true --out a -q",
    );
    let is_there = |name: &str| place.path("a/preview").join(name).is_file();
    assert!(
        fs::read(place.path("a/preview/film.gif"))
            .unwrap()
            .starts_with(b"GIF89a")
    );
    let report = fs::read_to_string(place.path("a/report.html")).unwrap();
    assert!(report.contains("data:image/gif"));
    let said = place.pliant_succeeds("render a --size 160x90 --film apng --turn 90");
    assert!(said.text.contains("film.png") && is_there("film.png") && !is_there("film.gif"));
    let said = place.pliant_succeeds("render a --size 160x90 --film none");
    assert!(!said.text.contains("film") && !is_there("film.png") && is_there("0002.png"));
    let told = place.pliant("render a --film webp").errors;
    assert!(told.contains("webp") && told.contains("apng"), "{told}");
}

#[test]
fn render_draws_cloth_again() {
    let place = Place::with("");
    place.pliant_succeeds("new strip.toml --from cloth/strip");
    place.pliant_succeeds("run strip.toml --out a --frames 1 -q --no-preview");
    place.pliant_succeeds("render a --size 160x90 -q");
    assert!(place.path("a/preview/0002.png").exists());
}

/// A Radiance file, green from above and black from below.
fn green_sky() -> Vec<u8> {
    let head = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 4 +X 4\n";
    let rows = [[[10, 200, 10, 129]; 8], [[0; 4]; 8]].concat();
    [&head[..], rows.as_flattened()].concat()
}

#[test]
fn environment_maps_light_the_pictures_of_runs_and_are_tried_afterwards() {
    let scene = SAND.replace(
        "preview = false",
        "size = [64, 36]\nenvironment = \"sky.hdr\"\nfilm = \"none\"",
    );
    let place = Place::with(&scene);
    fs::write(place.path("sky.hdr"), green_sky()).unwrap();
    place.pliant_succeeds("check scene.toml");
    place.pliant_succeeds("run scene.toml --out green -q --frames 1");
    place.pliant_succeeds("run scene.toml --out plain -q --frames 1 --set output.preview=false");
    let upper = |folder: &str| {
        let bytes = fs::read(place.path(&format!("{folder}/preview/0002.png"))).unwrap();
        decode_png(&bytes).unwrap().pixel(60, 2).map(i32::from)
    };
    let [red, green, blue] = upper("green");
    assert!(
        green > red + 60 && green > blue + 60,
        "{:?}",
        upper("green")
    );
    place.pliant_succeeds("render plain --environment sky.hdr --size 64x36 --plain -q");
    let [red, green, blue] = upper("plain");
    assert!(
        green > red + 60 && green > blue + 60,
        "{:?}",
        upper("plain")
    );
    // It changes nothing of what is simulated: a run goes on under another sky.
    place
        .pliant_succeeds("run scene.toml --out green -q --resume --set output.environment_turn=90");
    fs::write(place.path("sky.hdr"), &green_sky()[..60]).unwrap();
    for command in ["check scene.toml", "run scene.toml --out other -q"] {
        let told = place.pliant(command).errors;
        assert!(
            told.contains("sky.hdr") && told.contains("damaged"),
            "{told}"
        );
        assert!(told.contains("output.environment"), "{told}");
    }
    // A run that is there is left alone, and none is begun.
    place.pliant("run scene.toml --out green -q");
    assert!(place.path("green/preview/0002.png").is_file());
    assert!(!place.path("other/run.json").exists());
    let told = place.pliant("render plain --environment sky.hdr -q").errors;
    assert!(
        told.contains("--environment") && told.contains("damaged"),
        "{told}"
    );
    // Without pictures it is not looked for, and another one takes its place.
    fs::write(place.path("other.hdr"), green_sky()).unwrap();
    fs::remove_file(place.path("sky.hdr")).unwrap();
    place.pliant_succeeds("render plain --environment other.hdr --size 64x36 -q");
    place.pliant_succeeds("export green --to ply -q");
    place.pliant_succeeds("run scene.toml --out none -q --frames 1 --set output.preview=false");
    let told = place.pliant("check scene.toml").errors;
    assert!(
        told.contains("sky.hdr") && told.contains("does not exist"),
        "{told}"
    );
}

#[test]
fn render_names_what_is_missing() {
    let place = Place::with(SAND);
    place.pliant_succeeds("run scene.toml --out a --frames 1 -q");
    for (arguments, part) in [
        ("render nothing", "nothing"),
        ("render a --color-by pressure", "stress_von_mises"),
        ("render a --camera 1", "0"),
        ("render a --frames 7..9", "7 to 9"),
        ("render a --frames 2..1", "from 2 to 1"),
        ("render a --frames 1", "10..40"),
        ("render a --color-by speed --range nan,1", "NaN to 1"),
        ("render a --color-by speed --range 0,inf", "0 to inf"),
        ("render a --color-by speed --range 1,1", "1 to 1"),
        ("render a --color-by speed --range 2,-1", "2 to -1"),
        ("render a --color-by speed --range -3e38,3e38", "finite"),
        ("render a --color-by speed --range 1", "2 numbers"),
        ("render a --color-by body --range 0,1", "--color-by"),
        ("render a --position nan,0,0", "[NaN, 0, 0]"),
        ("render a --target 0,inf,0", "[0, inf, 0]"),
        ("render a --position 1,2,3 --target 1,2,3", "apart"),
        ("render a --position 1e200,0,0", "finite and apart"),
        ("render a --position 1,2", "3 numbers"),
        ("render a --size 0x90", "0 x 90"),
        ("render a --size 20000x90", "16384"),
        ("render a --size 160", "1280x720"),
        ("render a --camera 0", "no camera 0"),
    ] {
        let said = place.pliant(arguments);
        assert_eq!(said.status, Some(2), "{arguments}");
        assert!(said.errors.contains(part), "{arguments}: {}", said.errors);
    }
    let drawn = files(&place.path("a")).into_keys();
    assert_eq!(drawn.filter(|name| name.ends_with(".png")).count(), 0);
    place.pliant_succeeds("render a --size 1x1 --frames 1..1 -q");
}

#[test]
fn schema_is_json_and_the_reference_is_markdown() {
    let place = Place::with(SAND);
    let schema = place.pliant_succeeds("schema").text;
    assert!(
        serde_json::from_str::<serde_json::Value>(&schema)
            .unwrap()
            .is_object()
    );
    assert!(
        place
            .pliant_succeeds("schema --markdown")
            .text
            .starts_with("# ")
    );
}

#[cfg(unix)]
#[test]
fn the_command_that_new_prints_runs() {
    let place = Place::with(SAND);
    let said = Said::of(
        place
            .command("new")
            .arg("my first scene.toml")
            .output()
            .unwrap(),
    );
    // A smaller scene takes its place; what counts is that the advice finds it.
    fs::write(place.path("my first scene.toml"), SAND).unwrap();
    let ran = said.follow_advice("Run it: ", &place);
    assert_eq!(ran.status, Some(0), "{}", ran.errors);
    assert!(place.path("out/my first scene/report.html").exists());
}

#[test]
fn bundled_scenes_are_listed_and_written_and_checked() {
    let place = Place::with(SAND);
    let list = place.pliant_succeeds("list").text;
    let first = list.split_whitespace().next().unwrap().to_owned();
    place.pliant_succeeds(&format!("new copy.toml --from {first}"));
    assert!(!fs::read(place.path("copy.toml")).unwrap().is_empty());
    place.pliant_succeeds("new start.toml");
    place.pliant_succeeds("new deep/body.toml --from mesh-body");
    place.pliant_succeeds("check deep/body.toml --set body[0].spacing=0.02");
    place.pliant_succeeds("new other/column.toml --from sand-column-20");
    place.pliant_succeeds("check other/column.toml --set body[0].spacing=0.02");
    place.pliant_succeeds("check start.toml");
    let said = place.pliant("new start.toml");
    assert_eq!(said.status, Some(2));
    assert_eq!(
        place.pliant("new other.toml --from no-such-scene").status,
        Some(2)
    );
    assert_eq!(place.pliant("list --paper no-such-paper").status, Some(2));
}

#[test]
fn bench_prints_stages_in_gather_bounds_and_writes_its_figures() {
    let place = Place::with(SAND);
    let said = place.pliant_succeeds("bench stages threads --particles 2000 --rounds 2 --out b");
    for part in ["gather bound", "sweep", "search", "same bits", "yes"] {
        assert!(said.text.contains(part), "{part}\n{}", said.text);
    }
    assert!(!said.text.contains("NO"), "{}", said.text);
    let figures = fs::read_to_string(place.path("b/bench.csv")).unwrap();
    let sweep = figures.lines().filter(|line| {
        line.starts_with("stages,") && line.contains(",sweep,") && line.ends_with("gather bounds")
    });
    let values: Vec<f64> = sweep
        .map(|l| l.split(',').nth(4).unwrap().parse().unwrap())
        .collect();
    assert!(values.len() == 1 && values[0] > 0.1, "{figures}");
    let page = fs::read_to_string(place.path("b/bench.html")).unwrap();
    assert_eq!(page.matches("<svg").count(), 3);
    assert!(page.contains("gather bounds") && !page.contains("NaN") && !page.contains("http"));
}

#[test]
fn bench_computes_with_the_vector_instructions_that_are_asked_for() {
    let place = Place::with(SAND);
    let slowest = pliant::math::simd::Instructions::BASELINE.name();
    place.pliant_succeeds(&format!(
        "bench stages --instructions {} --particles 1000 --rounds 1 --out b",
        slowest.to_uppercase()
    ));
    let said = place.pliant("bench stages --instructions mmx --out c");
    assert_ne!(said.status, Some(0));
    let names = ["mmx", slowest];
    assert!(
        names.iter().all(|name| said.errors.contains(name)),
        "{}",
        said.errors
    );
    assert!(!place.path("c").exists());
}

#[test]
fn bench_prints_sweeps_of_solids_beside_published_figures() {
    let place = Place::with(SAND);
    let said = place
        .pliant_succeeds("bench strain-energy --particles 1000 --rounds 1 --up-to 10000 --out b");
    for part in [
        "bounds of both passes",
        "jacobi, further",
        "contacts [%]",
        "Metal",
    ] {
        assert!(said.text.contains(part), "{part}\n{}", said.text);
    }
    let figures = fs::read_to_string(place.path("b/bench.csv")).unwrap();
    let value = |part: &str, what: &str, unit: &str| -> f64 {
        let fields = figures
            .lines()
            .map(|line| line.split(',').collect::<Vec<_>>());
        let mut found =
            fields.filter(|f| f[0] == part && f[3] == what && f[5] == unit && f[2] == "1");
        found.next().unwrap()[4].parse().unwrap()
    };
    let sweep = |unit| value("strain-energy gauss-seidel", "further sweep", unit);
    // How they compare is left to the benchmark: a machine that is interrupted measures either as longer, and what
    // is a difference of two times as less than nothing.
    for unit in ["gather bounds", "bounds of both passes"] {
        assert!(sweep(unit).is_finite(), "{figures}");
    }
    let towel = value("Cao et al. 2023 Towel", "printed evaluations", "1e6/s");
    assert!((towel - 28.13).abs() < 0.01, "{towel}");
    let page = fs::read_to_string(place.path("b/bench.html")).unwrap();
    assert!(page.contains("Table 1") && !page.contains("NaN"));
}

#[test]
fn bench_prints_the_growth_with_memory() {
    let place = Place::with(SAND);
    let said = place.pliant_succeeds("bench growth --up-to 10000 --rounds 1 --out b");
    assert!(said.text.contains("bytes a particle"), "{}", said.text);
    let figures = fs::read_to_string(place.path("b/bench.csv")).unwrap();
    let memory = figures.lines().filter(|line| line.contains(",memory,"));
    let values: Vec<f64> = memory
        .map(|l| l.split(',').nth(4).unwrap().parse().unwrap())
        .collect();
    // At least position, velocity and neighbour lists; at most ten times the bar of a kilobyte, because
    // a small block carries the thread's own memory.
    let is_sensible = |value: &f64| (200.0..10_000.0).contains(value);
    assert!(
        values.iter().all(is_sensible) && values.len() == 1,
        "{figures}"
    );
    let page = fs::read_to_string(place.path("b/bench.html")).unwrap();
    assert!(page.contains("Memory a particle") && page.contains("Time a particle"));
}
