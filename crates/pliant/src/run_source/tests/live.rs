//! A simulation that goes on is seen as it goes.

use std::time::{Duration, Instant};

use pliant_render::Coloring;

use super::super::*;
use super::{BALL, reel_of};
use crate::Simulation;
use crate::live::{Ask, Playback};
use crate::serve::LiveShow;

#[test]
fn a_simulation_is_followed_as_it_goes_on_and_told_when_it_is_gone() {
    let mut simulation = Simulation::from_text(BALL).expect("a scene");
    let show = LiveShow::of(&simulation).expect("a free port");
    let address = RunAddress::parse(&show.address()).expect("an address");
    let playback = Playback::open(RunPlace::Address(address), || ());
    let first = reel_of(&playback, |reel| reel.snapshot.take());
    assert_eq!((first.frame, first.time), (1, 0.0));
    reel_of(&playback, |reel| reel.is_live.then_some(()));
    playback.ask(Ask::Follow(true));
    let id = first.sphere_ids[4];
    playback.ask(Ask::Pick(Some(id)));
    let mut heights = vec![first.spheres[4][1]];
    for number in 2..6 {
        simulation.step().expect("a step");
        show.add(&simulation);
        let shown = reel_of(&playback, |reel| {
            reel.snapshot.take().filter(|shown| shown.frame == number)
        });
        assert_eq!(shown.time, simulation.time());
        let place = shown.sphere_ids.binary_search(&id).expect("a particle");
        heights.push(shown.spheres[place][1]);
    }
    let picked = reel_of(&playback, |reel| {
        reel.picked.clone().filter(|picked| picked.path.len() == 5)
    });
    let path = picked.path.iter().map(|at| at.expect("it is there")[1]);
    assert_eq!(
        (path.collect::<Vec<_>>(), picked.body),
        (heights, "ball".to_owned())
    );
    // Back, where it stays while the simulation goes on; then to the newest.
    playback.ask(Ask::Show(2));
    reel_of(&playback, |reel| {
        reel.snapshot.take().filter(|shown| shown.frame == 2)
    });
    simulation.step().expect("a step");
    show.add(&simulation);
    reel_of(&playback, |reel| (reel.frames.len() == 6).then_some(()));
    assert!(playback.reel().snapshot.is_none());
    playback.ask(Ask::Follow(true));
    reel_of(&playback, |reel| {
        reel.snapshot.take().filter(|shown| shown.frame == 6)
    });
    // A quantity that nobody had asked for is in the frames from now on.
    let density = Coloring::Quantity {
        name: "density".to_owned(),
        range: None,
        color_map: Default::default(),
    };
    playback.ask(Ask::Color(density));
    let problem = reel_of(&playback, |reel| reel.problem.clone());
    assert!(problem.contains("from now on"), "{problem}");
    simulation.step().expect("a step");
    show.add(&simulation);
    let shown = reel_of(&playback, |reel| {
        reel.snapshot.take().filter(|shown| shown.frame == 7)
    });
    assert_eq!(
        shown.legend.as_ref().map(|legend| legend.title.as_str()),
        Some("density")
    );
    assert_eq!(playback.reel().problem, None);
    drop(show);
    let problem = reel_of(&playback, |reel| reel.problem.clone());
    assert!(problem.contains("may have ended"), "{problem}");
    let start = Instant::now();
    drop(playback);
    assert!(start.elapsed() < Duration::from_secs(5));
}
