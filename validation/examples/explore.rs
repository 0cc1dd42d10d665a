//! Scratch.
use pliant_validation::column::Column;
use pliant_validation::run;
use std::collections::HashMap;
fn main() {
    let args: HashMap<String, f64> = std::env::args()
        .skip(1)
        .map(|a| {
            let (k, v) = a.split_once('=').unwrap();
            (k.to_string(), v.parse().unwrap())
        })
        .collect();
    let get = |k: &str, d: f64| args.get(k).copied().unwrap_or(d);
    let c = Column {
        seed: get("seed", 1.0) as u64,
        jitter: get("jit", 0.0),
        sampling: match get("samp", 2.0) as i32 {
            0 => pliant_geometry::sampling::Sampling::Grid,
            1 => pliant_geometry::sampling::Sampling::Hexagonal,
            _ => pliant_geometry::sampling::Sampling::Poisson,
        },
        dt: get("dt", 1e-3),
        iterations: get("it", 5.0) as u32,
        aspect: get("a", 1.0),
        resolution: get("res", 10.0),
        duration: get("T", 1.5),
        ..Column::new(get("phi", 30.0))
    };
    let mut case = c.case();
    case.setup.solver.xsph_rate = get("xsph", 10.0);
    case.setup.solver.xpbi.minimum_distance = get("md", 0.75);
    if args.contains_key("push") {
        case.setup.solver.push_out_speed = Some(args["push"]);
    }
    if args.contains_key("fr") {
        case.setup.colliders[0].friction = args["fr"];
    }
    if get("scalar", 0.0) > 0.0 {
        case.setup.solver.xpbi.multiplier = pliant_core::world::Multiplier::Scalar;
    }
    case.setup.solver.xpbi.warm_start = get("warm", 1.0) > 0.0;
    let mut w = case.world();
    let t = std::time::Instant::now();
    run(&mut w, c.dt, (c.duration / c.dt).round() as usize, |_| ()).unwrap();
    println!(
        "{args:?} n={} {:?} {:.1}s",
        w.state.particles.len(),
        c.deposit(&w),
        t.elapsed().as_secs_f64()
    );
}
