//! A case: a scene with default settings, and what must be true of it while it runs.

/// A scene and what is asked of it.
#[derive(Clone, Debug)]
pub struct Case {
    /// The scene file.
    pub text: String,
    /// Heights that particles of bodies keep above.
    pub limits: Vec<Limit>,
    /// Greatest distance of a particle from the vertical planes through the origin [m]; infinite without
    /// walls.
    pub half_width: f64,
    /// True if it comes to rest, so that all weight is carried in the end.
    pub comes_to_rest: bool,
}

/// A height that the particles of a body keep above.
#[derive(Clone, Debug)]
pub struct Limit {
    /// Name of the body.
    pub body: &'static str,
    /// The least height of its particles' centres, of a rigid body its centre of mass [m].
    pub least: f64,
    /// What a particle below has passed.
    pub passed: &'static str,
}

/// Name of the body whose method is asked.
pub const BODY: &str = "body";
/// Name of the rigid body that lies on it.
pub const LOAD: &str = "load";
