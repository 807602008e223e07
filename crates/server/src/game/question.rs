//! What anyone who looks at a game may ask about the turn that is being put together. The answer changes nothing.

/// A turn of which some moves have been made, and what somebody wants to know about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The number of moves before this turn.
    pub ply: usize,
    /// The moves made so far, in the rules' wire format; empty for none yet.
    pub turn: String,
    pub about: About,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum About {
    /// What stands where now, and what may come next.
    Next,
    /// Whether a move between these squares may come next, and why not.
    Move { from: String, to: String },
}
