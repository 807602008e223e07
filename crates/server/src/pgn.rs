//! A game as PGN4D.

use manifold_rules::record::Record;

use crate::game::state::{GameState, Seat};
use crate::player::PlayerKind;
use crate::wire::round;

/// The record of a game, under way or ended. `site` is the address at which it is shown.
pub fn write(state: &GameState, site: &str) -> String {
    let setup = state.setup();
    let elo = |seat: &Seat| seat.rating.map(|r| round(r.rating).to_string());
    let title = |seat: &Seat| (seat.player.kind == PlayerKind::Bot).then(|| "BOT".to_owned());
    let mut record = Record::new(state.game().clone());
    let tags = &mut record.tags;
    tags.site = Some(site.to_owned());
    tags.date = Some(setup.created_at.pgn_date());
    tags.utc_time = Some(setup.created_at.pgn_time());
    tags.white = Some(setup.seats.white.player.name.clone());
    tags.black = Some(setup.seats.black.player.name.clone());
    tags.white_title = title(&setup.seats.white);
    tags.black_title = title(&setup.seats.black);
    tags.white_elo = elo(&setup.seats.white);
    tags.black_elo = elo(&setup.seats.black);
    tags.time_control = Some(setup.time.pgn());
    record.end = state.end();
    // Where each move has days of its own, what is left of them tells nothing.
    if setup.time.is_real_time() {
        let shown = |ms: i64| u64::try_from(ms).unwrap_or(0);
        record.clocks = state.moves().iter().map(|made| made.remaining_ms.map(shown)).collect();
    }
    record.to_pgn()
}
