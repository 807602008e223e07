//! Kings in danger, against trying every turn.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use manifold_rules::parallel::{PartialTurn, Position, Turn};
use manifold_rules::{Color, Game, Position as AnyPosition, Variant};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::RngSeed;

use super::candidates::{Beam, Candidate, FirstLook, Judge, NOT_PROVED};
use super::refuge::Refuge;
use super::{WEIGHTS, kings};
use crate::control::Control;
use crate::score::INFINITE;
use crate::{Choice, Engine, Features, Level, Limits, Score, Time, best_turn};

/// Trying so many turns one by one takes no time yet.
const FEW: u64 = 20_000;

/// The same cases each time, as each kind of them has to come up.
fn config(cases: u32) -> ProptestConfig {
    let rng_seed = RngSeed::Fixed(1);
    ProptestConfig { cases, failure_persistence: None, rng_seed, ..ProptestConfig::default() }
}

/// Whether any turn captures a king, by trying them all.
fn some_turn_captures(position: &Position) -> bool {
    let mut captures = false;
    position.for_each_turn(|_, after| captures |= after.lacks_a_king());
    captures
}

/// Compares for one position, and tells whether it has a capture and of how many moves.
fn check_capture(position: &Position) -> usize {
    let found = kings::capture(&PartialTurn::new(position));
    assert_eq!(found.is_some(), some_turn_captures(position), "{position}");
    let Some(moves) = found else { return 0 };
    let after = position.after(Turn::new(&moves).unwrap()).unwrap();
    assert!(after.lacks_a_king(), "{moves:?} in {position}");
    moves.len()
}

/// Any placement. In most a rook of White's stands below a black king, with a knight between them that has
/// nothing above it, a piece that can go on, or one that cannot.
fn placements(most: usize) -> impl Strategy<Value = Option<Position>> {
    let pieces =
        prop::collection::vec((0..192_usize, prop::sample::select(&b"PPpNBbRRrQQq"[..])), 0..most);
    let line = (0..8_usize, any::<bool>(), prop::sample::select(&b" BBb"[..]));
    let kings = prop::array::uniform4(0..64_usize);
    (pieces, prop::option::weighted(0.7, line), kings, any::<bool>()).prop_map(
        |(pieces, line, mut kings, white)| {
            let mut letters = [' '; 192];
            for (square, letter) in pieces {
                letters[square] = char::from(letter);
            }
            if let Some((file, third, above)) = line {
                let level = if third { 128 } else { 0 };
                kings[1 + 2 * usize::from(third)] = 56 + file;
                letters[level + file + 8] = 'R';
                letters[level + file + 32] = 'N';
                letters[64 + file + 32] = char::from(above);
            }
            for (n, king) in kings.into_iter().enumerate() {
                letters[king + n / 2 * 128] = ['K', 'k'][n % 2];
            }
            let ranks: Vec<String> = letters.chunks(8).map(|rank| rank.iter().collect()).collect();
            let boards: Vec<String> = ranks.chunks(8).map(|ranks| ranks.join("/")).collect();
            let mut placement = boards.join("|");
            for empty in (1..=8).rev() {
                placement = placement.replace(&" ".repeat(empty), &empty.to_string());
            }
            let side = if white { 'w' } else { 'b' };
            // Kings on one square or pawns on their last rank make no position.
            format!("{placement} {side} -|- - 0 9").parse().ok()
        },
    )
}

/// The position now.
fn position(game: &Game) -> Position {
    match game.position() {
        AnyPosition::Parallel(position) => *position,
        AnyPosition::Fourfold(_) => panic!("a game of Parallel Worlds was asked for"),
    }
}

/// Whether a turn avoids the capture of a king in return, as the engine tells.
fn can_be_safe(position: &Position) -> bool {
    let engine = Engine::new(Features::ALL);
    let judge = Judge { engine: &engine, weights: &WEIGHTS, path: Vec::new() };
    match judge.rescue(position, 1, &Control::new(Limits::default())) {
        Refuge::Found(_) => true,
        Refuge::Nowhere => false,
        Refuge::Unknown => panic!("too many turns to try: {position}"),
    }
}

/// A draw at once, so that no king is captured any more.
fn has_bare_kings(position: &Position) -> bool {
    [Color::White, Color::Black].into_iter().all(|color| position.has_only_kings(color))
}

/// Whether a turn avoids the capture of a king in return, by trying every turn of both sides.
fn some_turn_is_safe(position: &Position) -> bool {
    let mut safe = false;
    position.for_each_turn(|_, after| {
        safe = safe || has_bare_kings(&after) || !some_turn_captures(&after);
    });
    safe
}

#[test]
fn a_king_is_captured_exactly_when_some_turn_captures_it() {
    let seen = [const { Cell::new(0) }; 4];
    let config = config(1000);
    proptest!(config, |(position in placements(12))| {
        if let Some(position) = position.filter(|position| position.perft(1) < FEW) {
            let kind = &seen[check_capture(&position)];
            kind.set(kind.get() + 1);
        }
    });
    let seen = seen.map(|kind| kind.get());
    assert!(seen.into_iter().all(|kind| kind > 3), "no, one, two and three moves: {seen:?}");
}

#[test]
fn within_a_turn_too() {
    let config = config(200);
    proptest!(config, |(position in placements(20), choices in prop::array::uniform2(any::<Index>()))| {
        let Some(position) = position else { return Ok(()) };
        let mut turn = PartialTurn::new(&position);
        for choice in choices {
            let moves = turn.next_moves();
            if moves.is_empty() {
                break;
            }
            turn.play(*choice.get(&moves)).unwrap();
            let mut captures = false;
            go_on(&turn, &mut captures);
            prop_assert!(turn.has_captured_king() || kings::capture(&turn).is_some() == captures, "{turn:?}");
        }
    });
}

fn go_on(turn: &PartialTurn, captures: &mut bool) {
    for single in turn.next_moves() {
        let mut longer = *turn;
        longer.play(single).unwrap();
        *captures |= longer.has_captured_king();
        go_on(&longer, captures);
    }
}

#[test]
fn whether_a_turn_is_safe_is_exact() {
    let seen = [const { Cell::new(0) }; 2];
    let config = config(100);
    proptest!(config, |(position in placements(7))| {
        let few = |position: &Position| position.perft(1) < 1_000 && !some_turn_captures(position);
        if let Some(position) = position.filter(few) {
            let safe = some_turn_is_safe(&position);
            prop_assert_eq!(can_be_safe(&position), safe, "{}", position);
            seen[usize::from(safe)].set(seen[usize::from(safe)].get() + 1);
        }
    });
    let seen = seen.map(|kind| kind.get());
    assert!(seen.into_iter().all(|kind| kind > 0), "lost and safe: {seen:?}");
}

/// What every strong player keeps: it takes a king that it can take, and leaves none to be taken if it can avoid it.
fn check_choice(game: &Game, level: Level) {
    let now = position(game);
    let choices = [
        (level >= Level::Cube, level.best_turn(game, 7, Limits::default())),
        (true, best_turn(game, Limits { nodes: Some(2_000), ..Limits::default() })),
    ];
    for (careful, choice) in choices {
        let choice = choice.unwrap();
        let mut after = game.clone();
        after.play(&choice.turn).unwrap();
        let after = position(&after);
        if some_turn_captures_quickly(&now) {
            assert!(after.lacks_a_king(), "{level} in {now} played {}", choice.turn);
            assert_eq!(choice.score, Score::MateIn(1));
        } else if careful && can_be_safe(&now) {
            let safe = has_bare_kings(&after) || !some_turn_captures_quickly(&after);
            assert!(safe, "{level} in {now} played {}", choice.turn);
        } else if careful {
            assert_eq!(choice.score, Score::MatedIn(1), "{level} in {now}");
        }
    }
}

/// What the first test proves to be the same.
fn some_turn_captures_quickly(position: &Position) -> bool {
    kings::capture(&PartialTurn::new(position)).is_some()
}

#[test]
fn strong_players_take_kings_and_keep_theirs() {
    let config = config(48);
    let levels = &Level::ALL[..5];
    proptest!(config, |(position in placements(16), level in prop::sample::select(levels))| {
        if let Some(position) = position {
            let game = Game::from_fen(Variant::ParallelWorlds, &position.to_string()).unwrap();
            if game.end().is_none() {
                check_choice(&game, level);
            }
        }
    });
}

/// Black's knights attack the king and each square it could go to, and a turn captures at most one of them. White has
/// as many turns as the pieces on the other ranks and levels make, before that is certain.
fn lost_king(queens: &str, level_2: &str, level_3: &str) -> Position {
    format!("6pk/6pp/{queens}/1nnn4/PPn5/KR6|{level_2}|{level_3} w -|- - 0 9").parse().unwrap()
}

/// More turns than anyone waits for.
fn lost_among_queens() -> Position {
    let queens = ["Q2Q2Q1", "1Q2Q2Q"];
    let level_2 = [queens; 4].concat().join("/");
    let level_3 = format!("6pk/6pp/{}/8/K7", [queens, queens].concat().join("/"));
    lost_king("Q2Q2Q1/1Q2Q2Q/8", &level_2, &level_3)
}

#[test]
fn a_stop_ends_the_search_for_a_refuge() {
    let engine = Engine::new(Features::ALL);
    let judge = Judge { engine: &engine, weights: &WEIGHTS, path: Vec::new() };
    // Few enough turns to try them all.
    let position = lost_king("8/8/8", "8/8/8/8/8/8/8/8", "7k/8/8/8/8/8/8/K6R");
    let stop = AtomicBool::new(false);
    let limits = Limits { stop: Some(&stop), ..Limits::default() };
    let control = Control::new(limits);
    assert!(matches!(judge.rescue(&position, 1, &control), Refuge::Nowhere));
    stop.store(true, Ordering::Relaxed);
    assert!(matches!(judge.rescue(&position, 1, &control), Refuge::Unknown));

    let game = Game::from_fen(Variant::ParallelWorlds, &lost_among_queens().to_string()).unwrap();
    let choice = best_turn(&game, limits).unwrap();
    assert!(matches!(choice.score, Score::Centipawns(_)), "a loss that is not proved: {choice:?}");
}

#[test]
fn time_ends_the_search_for_a_refuge() {
    let game = Game::from_fen(Variant::ParallelWorlds, &lost_among_queens().to_string()).unwrap();
    for level in [None, Some(Level::Cube), Some(Level::Manifold)] {
        let looks = Cell::new(0);
        let elapsed = || {
            looks.set(looks.get() + 1);
            Duration::from_millis(looks.get())
        };
        let time = Time { budget: Duration::from_millis(20), elapsed: &elapsed };
        let limits = Limits { time: Some(time), ..Limits::default() };
        let choice = match level {
            None => best_turn(&game, limits),
            Some(level) => level.best_turn(&game, 1, limits),
        };
        let choice = choice.unwrap();
        assert!(matches!(choice.score, Score::Centipawns(_)), "{choice:?}");
        // Whoever is told that time is up asks once more at most.
        assert!((20..=21).contains(&looks.get()), "{level:?}: {}", looks.get());
    }
}

fn game(fen: &str) -> Game {
    Game::from_fen(Variant::ParallelWorlds, fen).unwrap()
}

fn depth(depth: u32) -> Limits<'static> {
    Limits { depth: Some(depth), nodes: Some(2_000), ..Limits::default() }
}

/// What those choose that look one turn ahead, and those that look further.
fn choices(game: &Game) -> Vec<(String, Choice)> {
    let bare = (1..=3).map(|turns| (format!("depth {turns}"), best_turn(game, depth(turns))));
    let levels = Level::ALL[3..6]
        .iter()
        .map(|level| (level.to_string(), level.best_turn(game, 1, Limits::default())));
    bare.chain(levels).map(|(name, choice)| (name, choice.unwrap())).collect()
}

/// Whatever the lead, it is no king captured, and no loss where the other side has it.
#[test]
fn a_great_lead_is_no_mate() {
    let queens = ["QQQQQQQQ"; 6].join("/");
    for side in ["w", "b"] {
        let fen = format!("7k/8/8/8/8/8/8/K7|8/{queens}/8|5ppk/5ppp/8/8/8/8/8/K7 {side} -|- - 0 9");
        let position: Position = fen.parse().unwrap();
        let judge =
            Judge { engine: &Engine::new(Features::ALL), weights: &WEIGHTS, path: Vec::new() };
        let sign = if side == "w" { 1 } else { -1 };
        assert_eq!(judge.evaluate(&position), sign * (NOT_PROVED - 1), "{fen}");
        let mut control = Control::new(Limits::default());
        for Candidate { value, safe, .. } in
            judge.candidates(&position, Beam(2, 0), INFINITE, FirstLook::OneMove, &mut control)
        {
            assert!(i16::try_from(value).is_ok(), "{value}");
            assert_eq!(safe, value > -NOT_PROVED, "{value}");
        }
        let choice = best_turn(&game(&fen), depth(1)).unwrap();
        assert_eq!(choice.score, Score::Centipawns(sign * (NOT_PROVED - 1)), "{fen}");
    }
}

#[test]
fn a_winner_moves_a_pawn_before_the_hundred_moves_are_full() {
    let game = game("7k/8/8/8/8/8/P7/K7|8/8/8/8/8/8/8/Q7|7k/8/8/8/8/8/8/K7 w -|- - 99 80");
    let judge = Judge { engine: &Engine::new(Features::ALL), weights: &WEIGHTS, path: Vec::new() };
    let mut control = Control::new(Limits::default());
    let start = position(&game);
    for Candidate { turn, after, value, .. } in
        judge.candidates(&start, Beam(4, 4), INFINITE, FirstLook::OneMove, &mut control)
    {
        assert_eq!(value == 0, after.halfmove_clock() == 100, "{turn} is worth {value}");
    }
    for (name, choice) in choices(&game) {
        let mut after = game.clone();
        after.play(&choice.turn).unwrap();
        assert_eq!(position(&after).halfmove_clock(), 0, "{name} played {}", choice.turn);
        assert_ne!(choice.score, Score::Centipawns(0), "{name}");
    }
}

/// Black, without its queen, has stood here twice.
#[test]
fn a_loser_takes_a_draw_by_repetition() {
    let mut game = game("7k/8/8/8/8/8/8/K7|8/8/8/8/8/8/8/8|7k/8/8/8/4P3/8/3R4/K7 w -|- - 0 9");
    let round = ["a1@1b1@1", "h8@1g8@1", "b1@1a1@1", "g8@1h8@1"];
    for turn in &[round, round].concat()[..7] {
        game.play(&game.parse_turn(turn).unwrap()).unwrap();
    }
    for (name, choice) in choices(&game) {
        assert_eq!(choice.turn.to_string(), round[3], "{name}");
        assert_eq!(choice.score, Score::Centipawns(0), "{name}");
    }
}

/// Without any time a player still sees what one move wins.
#[test]
fn there_is_always_time_for_one_look() {
    let game = game(
        "q3k3/1p3ppp/8/8/8/8/1P3PPP/R3K3|8/8/8/8/8/8/8/8|4k3/pp3ppp/8/8/8/8/PP3PPP/4K3 w -|- - 0 9",
    );
    let stop = AtomicBool::new(true);
    let stopped = Limits { stop: Some(&stop), ..Limits::default() };
    for limits in [stopped, Limits { nodes: Some(0), ..Limits::default() }] {
        for choice in [best_turn(&game, limits), Level::Manifold.best_turn(&game, 1, limits)] {
            assert_eq!(choice.unwrap().turn.to_string(), "a1@1a8@1");
        }
    }
}
