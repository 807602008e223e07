//! Fourfold against numbers and games from elsewhere.

use manifold_rules::Variant;
use manifold_rules::fourfold::Position;

#[path = "support/replay.rs"]
mod support;

/// Complete games from an independent slow implementation.
const GAMES: &str = include_str!("vectors/fourfold.tsv");

#[test]
fn recorded_games_replay() {
    let report = support::replay(Variant::Fourfold, GAMES);
    assert_eq!((report.positions, &report.mismatches[..]), (6203, &[][..]));
}

/// Each kind of fault that a vector file can show is seen, once, and on its own line.
#[test]
fn a_wrong_line_is_one_mismatch() {
    let good = "d1@00d1@11\t4/4/PPPP/RNB1|4/4/PPPP/KBNR|rnbq/pppp/4/4|kbnr/pppp/4/3Q b 1 1\t*\t46";
    let game: String = GAMES.lines().take(5).flat_map(|line| [line, "\n"]).collect();
    assert!(game.contains(good) && support::replay(Variant::Fourfold, &game).mismatches.is_empty());
    for (from, to) in [
        ("d1@00d1@11", "d1@00d2@00"),
        ("d1@00d1@11", "d1@00 d1@11"),
        ("b 1 1", "b 1 2"),
        ("*", "1/2-1/2 stalemate"),
        ("\t46", "\t47"),
        ("\t*", ""),
    ] {
        let bad = game.replacen(good, &good.replace(from, to), 1);
        let mismatches = support::replay(Variant::Fourfold, &bad).mismatches;
        assert!(mismatches[0].starts_with("line 2: "), "{from} {to}: {mismatches:?}");
    }
}

fn check_perft(start: Position, expected: [u64; 4]) {
    for (depth, leaves) in (1..).zip(expected) {
        assert_eq!(start.perft(depth), leaves, "{start} at depth {depth}");
    }
}

#[test]
fn perft_of_fourfold() {
    check_perft(Position::full_army(), [48, 2_116, 100_207, 4_700_547]);
}

#[test]
fn perft_of_fourfold_classic() {
    check_perft(Position::classic(), [41, 1_671, 74_569, 3_194_878]);
}
