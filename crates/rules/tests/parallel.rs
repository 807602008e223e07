//! Parallel Worlds against numbers and games from elsewhere.

use std::collections::HashMap;

use manifold_rules::parallel::{PartialTurn, Position, Single};
use manifold_rules::{Color, Game, TurnError, Variant};

#[path = "support/replay.rs"]
mod replay;
#[path = "support/game.rs"]
mod support;

use support::{end, refusal};

/// Complete games from an independent slow implementation.
const GAMES: &str = include_str!("vectors/parallel-worlds.tsv");

#[test]
fn recorded_games_replay() {
    let report = replay::replay(Variant::ParallelWorlds, GAMES);
    assert_eq!((report.positions, &report.mismatches[..]), (3052, &[][..]));
}

#[test]
fn turns_from_the_start() {
    let start = Position::start();
    assert_eq!(start.first_moves().len(), 70);
    assert_eq!(start.perft(1), 3_288);
    let black: Position = start.to_string().replace(" w ", " b ").parse().unwrap();
    assert_eq!(black.first_moves().len(), 70);
    assert_eq!(black.perft(1), 76_368);
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR|8/8/8/8/8/8/8/8|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq|KQkq - 0 1";
/// Kings, a rook a side, and pawns about to promote: White's on level 1, Black's on level 2.
const FEW: &str = "4k3/P7/8/8/8/8/8/R3K3|8/8/8/8/8/8/8/p7|r3k3/8/8/8/8/8/8/4K3 w Q|q - 0 30";

fn play(fen: &str, turns: &[&str]) -> Game {
    support::play(Variant::ParallelWorlds, fen, turns)
}

#[test]
fn each_refusal_says_why() {
    let malformed = |text| format!("“{text}” is not a move; write it like e2@1e4@1,g1@3f3@3.");
    for (fen, wire, expected) in [
        (START, "", malformed("")),
        (START, "e2@1e4@1,", malformed("e2@1e4@1,")),
        (START, "e2@1e4@4", malformed("e2@1e4@4")),
        (START, "e2@1e4@1k", malformed("e2@1e4@1k")),
        (START, "e2@1 e4@1", malformed("e2@1 e4@1")),
        (
            START,
            "a2@1a3@1,a2@3a3@3,b2@1b2@2,c2@1c2@2",
            malformed("a2@1a3@1,a2@3a3@3,b2@1b2@2,c2@1c2@2"),
        ),
        (START, "e2@1e4@1,e2@3e4@3", "*".to_owned()),
        (
            START,
            "e2@1e4@1,e2@3e4@3,d2@1d2@2",
            "White's first turn has at most two moves.".to_owned(),
        ),
        (
            START,
            "e2@1e4@1,d2@1d4@1",
            "A move of this turn has already ended on level 1.".to_owned(),
        ),
        (START, "e2@1e2@2,e2@2e3@2", "The pawn on e2@2 has already moved in this turn.".to_owned()),
        (START, "e1@1e1@2", "A king never leaves its level.".to_owned()),
        (START, "e7@1e5@1", "The pawn on e7@1 is not yours.".to_owned()),
        (FEW, "a7@1a8@1", "Say what the pawn becomes on a8@1: q, r, b or n.".to_owned()),
        (FEW, "a1@1a2@1q", "The rook does not promote on a2@1.".to_owned()),
        (FEW, "a7@1a7@2,a1@1a1@3", "A piece goes up or down by one level only.".to_owned()),
        // Castling moves the rook too.
        (FEW, "e1@1c1@1,d1@1d1@2", "The rook on d1@1 has already moved in this turn.".to_owned()),
        (FEW, "a7@1a8@1n,e1@3d1@3", "*".to_owned()),
    ] {
        let game = play(fen, &[]);
        let found = refusal(game.parse_turn(wire));
        assert_eq!(found, expected, "{wire}");
        let malformed = game.parse_turn(wire).is_err_and(|error| error.is_malformed());
        assert_eq!(malformed, expected.contains("is not a move"), "{wire}");
    }
}

#[test]
fn each_fen_that_is_refused_says_why() {
    let level_kings = "white does not have one king on level 1 and one on level 3.";
    for (from, to, expected) in [
        (" - 0", " 0", "A FEN has 6 fields with one space between them, not 5."),
        ("|q ", " ", "Castling rights are written like “KQkq|-”, not “Q”."),
        ("Q|q", "Qq|-", "black cannot castle on level 1: its king or its rook is away."),
        ("Q|q", "K|q", "white cannot castle on level 1: its king or its rook is away."),
        ("Q|q", "|q", "Castling rights are written like “KQkq|-”, not “|q”."),
        ("q - ", "q e3@1 ", "“e3@1” is not where a double step can be answered."),
        ("q - ", "q e9@1 ", "“e9@1” is not where a double step can be answered."),
        ("R3K3", "R3K2P", "The pawn on h1@1 stands on its promotion rank."),
        ("R3K3", "R3KK2", level_kings),
        ("R3K3|8", "R7|4K3", level_kings),
        ("4k3/P7", "8/P7", "black does not have one king on level 1 and one on level 3."),
        ("R3K3", "R7", "white cannot castle on level 1: its king or its rook is away."),
    ] {
        assert!(FEW.contains(from), "{from}");
        let mut fen = FEW.replacen(from, to, 1);
        if expected.starts_with("The pawn") {
            fen = fen.replace('P', "p").replacen("/p7/", "/8/", 1);
        }
        let found = refusal(Game::from_fen(Variant::ParallelWorlds, &fen));
        assert_eq!(found, expected, "{fen}");
    }
}

#[test]
fn a_turn_has_one_double_step_a_level() {
    let twice = "4k3/8/8/8/PpPp4/8/8/4K3|8/8/8/8/8/8/8/8|4k3/8/8/8/8/8/8/4K3 b -|- a3@1,c3@1 0 9";
    assert_eq!(
        refusal(Game::from_fen(Variant::ParallelWorlds, twice)),
        "Level 1 has two en passant squares, but a turn has one double step on a level."
    );
    assert!(Game::from_fen(Variant::ParallelWorlds, &twice.replace(",c3@1", "")).is_ok());
}

#[test]
fn a_captured_king_ends_the_game_within_the_turn() {
    let fen = FEW
        .replace("4k3/P7", "4k3/P3R3")
        .replace("R3K3|8/8/8/8", "4K3|8/8/8/8")
        .replace("Q|q", "-|q");
    let game = play(&fen, &[]);
    assert_eq!(game.under_way("e7@1e8@1").unwrap().legal, []);
    assert_eq!(game.parse_turn("e7@1e8@1,e1@3d1@3"), Err(TurnError::GameOver));
    let game = play(&fen, &["e1@3d1@3,e7@1e8@1"]);
    assert_eq!(end(&game), "1-0 king_captured");
    assert_eq!((game.legal_turns(), game.under_way("").unwrap().legal), (vec![], vec![]));
    assert_eq!(game.legal_first_moves(), []);
    assert_eq!(game.position().first_moves().len(), 0);
    // Its FEN still tells who has won.
    assert_eq!(end(&play(&game.fen(), &[])), "1-0 king_captured");
}

#[test]
fn castling_rights_and_usable_en_passant_make_positions_differ() {
    // The rook's first move gives up castling, so the start does not come back.
    let back_and_forth = ["a1@1b1@1", "e8@1e7@1", "b1@1a1@1", "e7@1e8@1"];
    let cycles = |n| back_and_forth.into_iter().cycle().take(n).collect::<Vec<_>>();
    assert_eq!(end(&play(FEW, &cycles(8))), "*");
    // The position after the first turn has come up again after turns 5 and 9.
    assert_eq!(end(&play(FEW, &cycles(9))), "1/2-1/2 repetition");

    // The pawn on d4 could pass at the start and never again.
    let passing = "4k3/8/8/8/3pP3/8/8/4K3|8/8/8/8/8/8/8/8|4k3/8/8/8/8/8/8/4K3 b -|- e3@1 0 30";
    let back_and_forth = ["e8@1e7@1", "e1@1e2@1", "e7@1e8@1", "e2@1e1@1"];
    let cycles = |n| back_and_forth.into_iter().cycle().take(n).collect::<Vec<_>>();
    assert_eq!(end(&play(passing, &cycles(8))), "*");
    assert_eq!(end(&play(passing, &cycles(9))), "1/2-1/2 repetition");
}

#[test]
fn records_have_their_notation() {
    let fen = FEW.replace("4k3/P7", "4k3/P3R3");
    for (wire, lan) in [
        ("e1@3d1@3,e7@1e8@1", "Ke1@3-d1@3,Re7@1xe8@1#"),
        ("e1@1c1@1,e7@1e7@2", "O-O-O@1,Re7@1-e7@2"),
        ("a7@1a8@1r", "a7@1-a8@1=R"),
    ] {
        let game = play(&fen, &[]);
        assert_eq!(game.lan(&game.parse_turn(wire).unwrap()), lan);
    }
}

#[test]
fn bare_kings_are_told_by_level() {
    let game = play("4k3/8/8/8/8/8/8/4K3|8/8/8/8/8/8/8/R7|4k3/8/8/8/8/8/8/4K3 w -|- - 0 40", &[]);
    assert!(!game.has_bare_king(Color::White));
    assert!(game.has_bare_king(Color::Black));
    assert_eq!(game.check(), None);
}

/// Everything that a turn under way can still come to.
fn what_follows(turn: &PartialTurn) -> (Position, Vec<Single>) {
    (turn.finish(), turn.next_moves())
}

fn check_keys(
    turn: &PartialTurn,
    known: &mut HashMap<u64, (Position, Vec<Single>)>,
    again: &mut usize,
) {
    for single in turn.next_moves() {
        let mut longer = *turn;
        longer.play(single).unwrap();
        let follows = what_follows(&longer);
        if let Some(earlier) = known.insert(longer.hash(), follows.clone()) {
            *again += 1;
            assert_eq!(earlier, follows, "after {single} in {longer:?}");
        }
        check_keys(&longer, known, again);
    }
}

/// The key of a turn under way tells apart what differs, also where pawns of two levels have stepped on and changed
/// places so that only the squares that they passed over are different.
#[test]
fn turns_with_the_same_key_come_to_the_same() {
    for fen in [
        "4k3/8/8/8/3p1p2/8/4P3/4K3|8/8/8/8/4P3/8/8/8|4k3/8/8/8/3p1p2/8/4P3/4K3 w -|- - 0 9",
        "4k3/8/8/8/3p4/8/2P1P3/4K3|8/8/8/8/8/8/8/8|4k3/8/8/8/3p4/8/2P1P3/4K3 w -|- - 0 9",
        FEW,
    ] {
        let position: Position = fen.parse().unwrap();
        let (mut known, mut again) = (HashMap::new(), 0);
        check_keys(&PartialTurn::new(&position), &mut known, &mut again);
        assert!(again > 100, "{again} of {} in {fen}", known.len());
    }
}
