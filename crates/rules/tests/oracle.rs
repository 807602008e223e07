//! Fourfold against a slow second implementation: for every pair of squares, is the move legal, and where does it
//! lead?
//!
//! `ORACLE_POSITIONS=1000000 cargo test --release -p manifold-rules --test oracle --test parallel_oracle -- --nocapture
//! random_games` compares a million positions of each game.

use manifold_rules::fourfold::Position;
use manifold_rules::{Game, Guard, Termination, TurnError, Variant};
use proptest::prelude::*;

#[path = "support/oracle.rs"]
mod oracle;
#[path = "support/random.rs"]
mod random;

use oracle::{Board, Point, name, points};
use random::{Random, oracle_positions};

/// Compares everything about one position.
fn check(game: &Game) {
    let fen = game.fen();
    let board = Board::read(&fen);
    assert!(board.is_valid(), "{fen}");
    assert_eq!(game.check().is_some(), board.in_check(), "{fen}");
    if game.end().is_none_or(|end| end.termination != Termination::Repetition) {
        let end = game.end().map_or("*".to_owned(), |end| end.to_string());
        assert_eq!(end, board.outcome(), "{fen}");
    }
    let moves = game.position().legal_turns();
    assert_eq!(moves.len(), game.position().first_moves().len(), "{fen}");
    let mut legal = 0;
    let mut replies = 0;
    for square in points() {
        let found = game.attackers("", &name(square)).unwrap().unwrap().into_iter();
        let found: Vec<_> =
            found.map(|a| (a.square, a.piece.fen_letter(), a.exposes_king)).collect();
        assert_eq!(found, board.attackers(square), "{} in {fen}", name(square));
    }
    check_flights(game, &board);
    for from in points() {
        for to in points() {
            let wire = name(from) + &name(to);
            let expected = board.is_legal(from, to);
            let found = game.parse_turn(&wire);
            if matches!(found, Err(TurnError::GameOver)) {
                assert!(game.end().is_some());
            } else {
                assert_eq!(found.is_ok(), expected, "{wire} in {fen}: {found:?}");
            }
            assert_eq!(
                moves.iter().any(|turn| turn.to_string() == wire),
                expected,
                "{wire} in {fen}"
            );
            if let Ok(turn) = found {
                let mut next = game.clone();
                next.play(&turn).unwrap();
                assert_eq!(next.fen(), board.after(from, to).write(), "{wire} in {fen}");
                replies += next.position().first_moves().len() as u64;
            }
            legal += usize::from(expected);
        }
    }
    assert_eq!(moves.len(), legal, "{fen}");
    // Counting has shortcuts of its own.
    assert_eq!(game.position().perft(1), legal as u64, "{fen}");
    if game.end().is_none() {
        assert_eq!(game.position().perft(2), replies, "{fen}");
    }
}

/// A king in check may go exactly where neither its own piece stands nor anybody attacks it once it is there.
fn check_flights(game: &Game, board: &Board) {
    let fen = game.fen();
    let Some(flights) = game.flights() else {
        assert!(!board.in_check(), "{fen}");
        return;
    };
    let point = |square: &str| points().into_iter().find(|at| name(*at) == square).unwrap();
    let enemies = |board: &Board, at: Point| -> Vec<String> {
        let is_enemy = |letter: char| letter.is_ascii_lowercase() == fen.contains(" w ");
        let found = board.attackers(at).into_iter().filter(|found| is_enemy(found.1));
        found.map(|found| found.0).collect()
    };
    let squares = |guards: Vec<Guard>| -> Vec<String> {
        guards.into_iter().map(|guard| guard.square).collect()
    };
    assert_eq!(Some(&flights.king), game.check().as_ref(), "{fen}");
    let from = point(&flights.king);
    assert_eq!(squares(flights.checkers), enemies(board, from), "{fen}");
    let mut free = Vec::new();
    for flight in flights.squares {
        let to = point(&flight.square);
        let is_own = board.is(to, fen.contains(" w "));
        assert_eq!(flight.own.is_some(), is_own, "{} in {fen}", flight.square);
        let guards = squares(flight.guards);
        if is_own {
            assert!(guards.is_empty(), "{} in {fen}", flight.square);
        } else {
            let there = board.after(from, to);
            assert_eq!(guards, enemies(&there, to), "{} in {fen}", flight.square);
            free.extend(guards.is_empty().then_some(to));
        }
    }
    let legal: Vec<_> = points().into_iter().filter(|to| board.is_legal(from, *to)).collect();
    assert_eq!(free, legal, "{} in {fen}", flights.king);
}

const STARTS: [&str; 5] = [
    "4/4/PPPP/RNBQ|4/4/PPPP/KBNR|rnbq/pppp/4/4|kbnr/pppp/4/4 w 0 1",
    "4/4/PPPP/RNKQ|4/4/4/1BR1|1rb1/4/4/4|qknr/pppp/4/4 w 0 1",
    "4/P3/4/K3|4/4/4/4|4/4/4/4|3k/4/3p/4 b 0 1",
    "4/4/4/K3|4/4/4/4|4/4/q3/4|3k/4/4/4 w 0 1",
    // Long lines: sliders on every board, near the kings and far.
    "k2r/4/4/1R2|1q2/4/2B1/4|4/1b2/4/2Q1|4/r3/4/K2R w 0 1",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn reachable_positions_agree(
        start in 0..STARTS.len(),
        choices in prop::collection::vec(any::<prop::sample::Index>(), 0..120),
    ) {
        let mut game = Game::from_fen(Variant::Fourfold, STARTS[start]).unwrap();
        for choice in choices {
            let turns = game.legal_turns();
            if turns.is_empty() {
                break;
            }
            game.play(&turns[choice.index(turns.len())]).unwrap();
        }
        check(&game);
    }

    /// Positions that no game leads to: many sliders, many checks, many pins.
    #[test]
    fn random_placements_agree(
        pieces in prop::collection::vec(
            (0_usize..64, prop::sample::select(&b"PpNnBbRrQq"[..])),
            0..14,
        ),
        kings in (0_usize..64, 0_usize..64),
        side in prop::sample::select(&["w", "b"][..]),
    ) {
        let mut letters = [' '; 64];
        for (square, letter) in pieces {
            letters[square] = char::from(letter);
        }
        letters[kings.0] = 'K';
        letters[kings.1] = 'k';
        let rows: Vec<String> = letters.chunks(4).map(|row| row.iter().collect()).collect();
        let boards: Vec<String> = rows.chunks(4).map(|ranks| ranks.join("/")).collect();
        let mut placement = boards.join("|");
        for (spaces, digit) in [("    ", "4"), ("   ", "3"), ("  ", "2"), (" ", "1")] {
            placement = placement.replace(spaces, digit);
        }
        let fen = format!("{placement} {side} 0 1");
        let position = fen.parse::<Position>();
        prop_assert_eq!(position.is_ok(), Board::read(&fen).is_valid(), "{} {:?}", fen, position);
        if position.is_ok() {
            check(&Game::from_fen(Variant::Fourfold, &fen).unwrap());
        }
    }
}

/// Every pair of squares in the positions of random games, where the move that is played leads, and what a position's
/// key would be if it were not kept up to date.
#[test]
fn random_games_agree() {
    let mut random = Random(4);
    let mut positions = 0;
    let mut pairs = 0_u64;
    while positions < oracle_positions() {
        let mut position: Position = random.one_of(&STARTS[..2]).parse().unwrap();
        for _ in 0..200 {
            let fen = position.to_string();
            // Equality compares the keys, too.
            assert_eq!(fen.parse::<Position>(), Ok(position));
            let board = Board::read(&fen);
            let moves = position.legal_moves();
            let mut legal = [[false; 64]; 64];
            for turn in &moves {
                legal[turn.from.index()][turn.to.index()] = true;
            }
            for (from, found) in points().into_iter().zip(legal) {
                for (to, found) in points().into_iter().zip(found) {
                    assert_eq!(found, board.is_legal(from, to), "{from:?} {to:?} in {fen}");
                }
            }
            positions += 1;
            pairs += 64 * 64;
            if moves.is_empty() || position.halfmove_clock() == Position::MAX_HALFMOVE {
                break;
            }
            let turn = *random.one_of(&moves);
            position = position.after(turn).unwrap();
            let [from, to] = [turn.from, turn.to].map(|square| points()[square.index()]);
            assert_eq!(position.to_string(), board.after(from, to).write(), "{turn} in {fen}");
        }
    }
    println!("{positions} positions of Fourfold, {pairs} pairs of squares");
}
