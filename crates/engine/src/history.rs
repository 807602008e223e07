//! Which quiet moves have refuted positions before.

/// A score for each pair of a mover (whatever a game tells apart) and a square that it reaches.
pub(crate) struct History {
    scores: Vec<i16>,
    squares: usize,
}

impl History {
    /// No score is greater.
    pub(crate) const MOST: i32 = 8192;

    pub(crate) fn new(movers: usize, squares: usize) -> Self {
        Self { scores: vec![0; movers * squares], squares }
    }

    pub(crate) fn get(&self, mover: usize, to: usize) -> i32 {
        i32::from(self.scores[mover * self.squares + to])
    }

    /// A move refuted a position that was searched so deep.
    pub(crate) fn reward(&mut self, mover: usize, to: usize, depth: u32) {
        self.update(mover, to, weight(depth));
    }

    /// A move was tried first and did not.
    pub(crate) fn punish(&mut self, mover: usize, to: usize, depth: u32) {
        self.update(mover, to, -weight(depth));
    }

    /// What is near a bound moves less towards it, so that none is passed and the recent counts most.
    fn update(&mut self, mover: usize, to: usize, by: i32) {
        let score = &mut self.scores[mover * self.squares + to];
        let old = i32::from(*score);
        *score = (old + by - old * by.abs() / Self::MOST) as i16;
    }
}

fn weight(depth: u32) -> i32 {
    (16 * depth * depth).min(1200) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_follow_what_happens_and_stay_bounded() {
        let mut history = History::new(2, 64);
        for _ in 0..1000 {
            history.reward(1, 63, 20);
            history.punish(0, 63, 20);
        }
        assert!((History::MOST / 2..=History::MOST).contains(&history.get(1, 63)));
        assert_eq!(history.get(0, 63), -history.get(1, 63));
        assert_eq!(history.get(1, 62), 0);
        let high = history.get(1, 63);
        history.punish(1, 63, 3);
        assert!(history.get(1, 63) < high);
    }
}
