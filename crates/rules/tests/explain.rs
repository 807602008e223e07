//! Each move that is not legal is refused for the right reason, in both games.

use std::collections::BTreeSet;

use manifold_rules::{Game, SingleMove, TurnError, Variant};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{RngSeed, TestRunner};

#[path = "support/game.rs"]
mod support;

use support::{end, play, refusal};

/// Moves of Fourfold after no move, by position, with the sentence for each; `*` if it is legal.
#[test]
fn fourfold_says_what_a_newcomer_needs() {
    let start = "4/4/PPPP/RNBQ|4/4/PPPP/KBNR|rnbq/pppp/4/4|kbnr/pppp/4/4 w 0 1";
    let pins = "4/4/4/KR1r|4/4/4/4|4/4/4/4|3k/4/4/4 w 0 1";
    let check = "4/4/4/K2r|4/4/4/1N2|4/4/4/4|3k/4/4/R3 w 0 1";
    let pawns = "4/4/4/3K|4/4/p1n1/1P2|4/4/4/4|3k/4/1p2/4 w 0 1";
    let black = pawns.replace(" w ", " b ");
    for (fen, from, to, expected) in [
        (start, "a1@00", "a1@01", "*"),
        (start, "a1@00", "a3@00", "The pawn on a2[0,0] is in the way."),
        (start, "a1@00", "a2@00", "Your own pawn stands on a2[0,0]."),
        (start, "a3@00", "a4@00", "There is no piece of yours on a3[0,0]."),
        (start, "a3@01", "a2@01", "The pawn on a3[0,1] is not yours."),
        (start, "a1@00", "a1@00", "The rook is on a1[0,0] already."),
        (
            start,
            "a1@00",
            "a4@11",
            "A rook changes exactly one coordinate; this would change three: Y, Z and W.",
        ),
        (
            start,
            "c1@00",
            "c1@01",
            "A bishop changes exactly two coordinates; this would change one: W.",
        ),
        (
            start,
            "c1@00",
            "a2@00",
            "A bishop goes equally far along each coordinate that it changes; this would change X by 2 and Y by 1.",
        ),
        (
            start,
            "d1@00",
            "b1@01",
            "A queen goes equally far along each coordinate that it changes; this would change X by 2 and W by 1.",
        ),
        (
            start,
            "b1@00",
            "c2@00",
            "A knight changes one coordinate by two and another by one; this would change X by 1 and Y by 1.",
        ),
        (
            start,
            "a1@10",
            "c1@10",
            "A king goes one step along each coordinate that it changes; this would change X by 2.",
        ),
        (
            start,
            "a2@00",
            "a1@00",
            "Each move of a white pawn goes one step along Y, towards rank 4.",
        ),
        (
            start,
            "a2@00",
            "a4@00",
            "Each move of a white pawn goes one step along Y, towards rank 4.",
        ),
        (
            start,
            "a2@00",
            "a2@01",
            "Each move of a white pawn goes one step along Y, towards rank 4.",
        ),
        (
            start,
            "a2@00",
            "b3@00",
            "A pawn moves aslant only to capture, and there is nothing to capture on b3[0,0].",
        ),
        (
            start,
            "a2@00",
            "b3@01",
            "A pawn steps along Y alone, and captures one step along Y and one along exactly one of X, Z and W; this would change X by 1, Y by 1 and W by 1.",
        ),
        (start, "a9@00", "a1@00", "“a9@00a1@00” is not a move; write it like a1@00a1@01."),
        (
            pins,
            "b1@00",
            "b2@00",
            "The rook on b1[0,0] is pinned: your king would be attacked by the rook on d1[0,0].",
        ),
        (pins, "b1@00", "c1@00", "*"),
        (
            check,
            "b1@10",
            "b3@00",
            "Your king is attacked by the rook on d1[0,0], and still would be.",
        ),
        (
            check,
            "b1@10",
            "b1@00",
            "A knight changes one coordinate by two and another by one; this would change Z by 1.",
        ),
        (check, "a1@00", "b1@00", "Your king would be attacked on b1[0,0] by the rook on d1[0,0]."),
        (pawns, "b1@10", "a2@10", "*"),
        (pawns, "b1@10", "b2@10", "*"),
        (
            &black,
            "a2@10",
            "a3@10",
            "Each move of a black pawn goes one step along Y, towards rank 1.",
        ),
        (&black, "b2@11", "b1@10", "*"),
        (
            "4/4/4/K3|4/4/1n2/1P2|4/4/4/4|3k/4/4/4 w 0 1",
            "b1@10",
            "b2@10",
            "A pawn steps onto an empty square only, and there is a knight on b2[1,0].",
        ),
    ] {
        let game = play(Variant::Fourfold, fen, &[]);
        assert_eq!(refusal(game.explain("", from, to)), expected, "{from}{to} in {fen}");
    }
}

const WORLDS: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR|8/8/8/8/8/8/8/8|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq|KQkq - 0 1";

#[test]
fn parallel_worlds_says_what_a_newcomer_needs() {
    // White may castle on both wings of level 1: a knight is in the way on one, a rook attacks d1.
    let castle =
        "3rk3/8/8/8/8/8/8/R3K1NR|8/8/1p6/8/8/P1Q5/8/8|4k3/8/8/8/8/3p4/2PPP3/4K2R w KQ|- - 0 9";
    let black = WORLDS.replace(" w ", " b ");
    for (fen, partial, from, to, expected) in [
        (WORLDS, "", "e2@1", "e4@1", "*"),
        (WORLDS, "", "e1@1", "e1@2", "A king never leaves its level."),
        (WORLDS, "", "e2@1", "e2@3", "A piece goes up or down by one level only."),
        (
            WORLDS,
            "",
            "e2@1",
            "e3@2",
            "A piece that goes up or down stays on its file and its rank.",
        ),
        (WORLDS, "", "a1@1", "a3@1", "The pawn on a2@1 is in the way."),
        (WORLDS, "", "a1@1", "a2@1", "Your own pawn stands on a2@1."),
        (WORLDS, "", "a1@1", "b3@1", "A rook moves along a file or a rank."),
        (WORLDS, "", "c1@1", "c3@1", "A bishop moves along a diagonal."),
        (
            WORLDS,
            "",
            "b1@1",
            "b3@1",
            "A knight jumps two squares along a file or a rank and one aside.",
        ),
        (WORLDS, "", "d1@1", "e3@1", "A queen moves along a file, a rank or a diagonal."),
        (WORLDS, "", "e1@1", "e3@1", "A king goes one square, or castles from its first square."),
        (
            WORLDS,
            "",
            "e2@1",
            "e1@1",
            "A white pawn steps straight ahead, towards rank 8, and captures one square aslant ahead.",
        ),
        (
            &black,
            "",
            "e7@3",
            "e8@3",
            "A black pawn steps straight ahead, towards rank 1, and captures one square aslant ahead.",
        ),
        (
            WORLDS,
            "",
            "e2@1",
            "d3@1",
            "A pawn moves aslant only to capture, and there is nothing to capture on d3@1.",
        ),
        (
            WORLDS,
            "",
            "e1@1",
            "g1@1",
            "There is a bishop on f1@1, and no piece may stand between the king and the rook when they castle.",
        ),
        (WORLDS, "e2@1e4@1", "d2@1", "d4@1", "A move of this turn has already ended on level 1."),
        (WORLDS, "e2@1e2@2", "e2@2", "e3@2", "The pawn on e2@2 has already moved in this turn."),
        (WORLDS, "e2@1e4@1,e2@3e4@3", "a2@1", "a2@2", "White's first turn has at most two moves."),
        (&black, "e7@1e5@1,e7@3e5@3,a7@1a7@2", "b7@1", "b7@2", "A turn has at most three moves."),
        (&black, "e7@1e5@1", "e5@1", "e4@1", "The pawn on e5@1 has already moved in this turn."),
        (
            WORLDS,
            "e2@1e9@1",
            "a2@1",
            "a3@1",
            "“e2@1e9@1” is not a move; write it like e2@1e4@1,g1@3f3@3.",
        ),
        (
            WORLDS,
            "e2@1e5@1",
            "a2@1",
            "a3@1",
            "A white pawn steps straight ahead, towards rank 8, and captures one square aslant ahead.",
        ),
        (
            castle,
            "",
            "e1@1",
            "g1@1",
            "There is a knight on g1@1, and no piece may stand between the king and the rook when they castle.",
        ),
        (
            castle,
            "",
            "e1@1",
            "c1@1",
            "A king that castles may not stand on, cross or reach an attacked square, and the rook on d8@1 attacks d1@1.",
        ),
        (
            castle,
            "",
            "e1@3",
            "g1@3",
            "The king on level 3 can no longer castle to this side: it or the rook has moved.",
        ),
        (castle, "", "a3@2", "b4@2", "*"),
        (
            castle,
            "",
            "a3@2",
            "b5@2",
            "On level 2 everything moves like a queen: along a file, a rank or a diagonal.",
        ),
        (castle, "", "c3@2", "a3@2", "Your own pawn stands on a3@2."),
        (castle, "", "a3@2", "f3@2", "The queen on c3@2 is in the way."),
        (castle, "c3@2c6@2", "a3@2", "a4@2", "A move of this turn has already ended on level 2."),
        (
            &castle.replace("1p6", "2p5"),
            "",
            "c3@2",
            "c6@2",
            "Nothing captures on level 2, and there is a pawn on c6@2.",
        ),
        (
            castle,
            "",
            "d2@3",
            "d4@3",
            "A pawn steps onto an empty square only, and there is a pawn on d3@3.",
        ),
        (castle, "c2@3d3@3", "d3@3", "d5@3", "The pawn on d3@3 has already moved in this turn."),
        (castle, "", "a3@2", "a3@1", "*"),
        (
            "4k3/8/8/8/8/4P3/8/4K3|8/8/8/8/8/8/4p3/8|4k3/8/8/8/8/8/4R3/4K3 w -|- - 0 9",
            "",
            "e3@1",
            "e5@1",
            "A pawn steps two squares only from rank 2.",
        ),
        (
            "4k3/8/8/8/8/4P3/8/4K3|8/8/8/8/8/8/4p3/8|4k3/8/8/8/8/8/4R3/4K3 w -|- - 0 9",
            "",
            "e2@3",
            "e2@2",
            "A piece goes up or down onto an empty square only, and there is a pawn on e2@2.",
        ),
    ] {
        let game = play(Variant::ParallelWorlds, fen, &[]);
        assert_eq!(refusal(game.explain(partial, from, to)), expected, "{from}{to} in {fen}");
    }
}

#[test]
fn the_pieces_of_a_turn_under_way_stand_where_they_have_gone() {
    let castle = "4k3/1P6/8/3Pp3/8/8/8/4K2R|8/8/8/8/8/8/8/8|4k3/8/8/8/8/8/8/4K3 w K|- e6@1 0 9";
    for (partial, placement, count) in [
        ("", castle.split(' ').next().unwrap(), 29),
        ("e1@1g1@1", "4k3/1P6/8/3Pp3/8/8/8/5RK1|8/8/8/8/8/8/8/8|4k3/8/8/8/8/8/8/4K3", 7),
        ("d5@1e6@1", "4k3/1P6/4P3/8/8/8/8/4K2R|8/8/8/8/8/8/8/8|4k3/8/8/8/8/8/8/4K3", 7),
        ("b7@1b8@1n,e1@3e2@3", "1N2k3/8/8/3Pp3/8/8/8/4K2R|8/8/8/8/8/8/8/8|4k3/8/8/8/8/8/4K3/8", 2),
    ] {
        let found = play(Variant::ParallelWorlds, castle, &[]).under_way(partial).unwrap();
        assert_eq!((&*found.placement, found.legal.len()), (placement, count), "{partial}");
    }
    let fourfold = Game::new(Variant::Fourfold);
    assert_eq!(end(&fourfold), "*");
    assert_eq!(fourfold.under_way("").unwrap().legal, fourfold.legal_first_moves());
    let moved = fourfold.under_way("d1@00d1@11").unwrap();
    assert_eq!(moved.placement, "4/4/PPPP/RNB1|4/4/PPPP/KBNR|rnbq/pppp/4/4|kbnr/pppp/4/3Q");
    assert_eq!(moved.legal, []);
    assert_eq!(fourfold.explain("d1@00d1@11", "a1@00", "a1@01"), Err(TurnError::SingleMove));
    assert!(fourfold.under_way("d1@00d4@00").is_err());
}

/// Each single move as a pair of squares, whatever a pawn becomes.
fn pairs(moves: &[SingleMove], length: usize) -> BTreeSet<String> {
    moves.iter().map(|single| single.to_string()[..length].to_owned()).collect()
}

/// Compares [`Game::explain`] with the legal moves for every pair of squares, and collects the codes of the refusals.
fn check_every_pair(game: &Game, partial: &str, codes: &mut BTreeSet<&'static str>) {
    let squares: Vec<String> = match game.variant() {
        Variant::Fourfold | Variant::FourfoldClassic => (0..64)
            .map(|n| format!("{}{}@{}{}", letter(n % 4), n / 4 % 4 + 1, n / 16 % 2, n / 32))
            .collect(),
        Variant::ParallelWorlds => {
            (0..192).map(|n| format!("{}{}@{}", letter(n % 8), n / 8 % 8 + 1, n / 64 + 1)).collect()
        }
    };
    let legal = pairs(&game.under_way(partial).unwrap().legal, 2 * squares[0].len());
    for from in &squares {
        for to in &squares {
            let found = game.explain(partial, from, to);
            assert_eq!(
                found.is_ok(),
                legal.contains(&format!("{from}{to}")),
                "{found:?} for {from}{to} after “{partial}” in {}",
                game.fen()
            );
            if let Err(refused) = found {
                codes.insert(refused.code());
            }
        }
    }
}

fn letter(n: usize) -> char {
    char::from(b'a' + n as u8)
}

/// The first moves of a turn: one choice in three ends it early.
fn begun(game: &Game, choices: &[Index]) -> String {
    let mut wire = String::new();
    for choice in choices {
        let legal = game.under_way(&wire).unwrap().legal;
        if legal.is_empty() || (!wire.is_empty() && choice.index(3) == 0) {
            break;
        }
        let comma = if wire.is_empty() { "" } else { "," };
        wire = format!("{wire}{comma}{}", legal[choice.index(legal.len())]);
    }
    wire
}

/// What a random game can come to, and what only a turn as a whole is refused for.
#[test]
fn every_reason_comes_up_and_none_is_wrong() {
    let mut codes = BTreeSet::new();
    // The same games each time, as each reason has to come up.
    let rng_seed = RngSeed::Fixed(1);
    let config =
        ProptestConfig { cases: 40, failure_persistence: None, rng_seed, ..Default::default() };
    let mut runner = TestRunner::new(config);
    let games = (
        prop::sample::select(&Variant::ALL[..]),
        prop::collection::vec(prop::array::uniform3(any::<Index>()), 1..70),
    );
    let collected = std::cell::RefCell::new(&mut codes);
    runner
        .run(&games, |(variant, choices)| {
            let mut game = Game::new(variant);
            for choice in &choices {
                let wire = begun(&game, choice);
                let Ok(turn) = game.parse_turn(&wire) else { break };
                // All pairs of 192 squares take their time, and a game changes slowly.
                if choice[0].index(24) == 0 {
                    check_every_pair(&game, &wire, &mut collected.borrow_mut());
                }
                game.play(&turn).unwrap();
            }
            check_every_pair(&game, "", &mut collected.borrow_mut());
            Ok(())
        })
        .unwrap();
    let worlds = Game::new(Variant::ParallelWorlds);
    let promoting = "4k3/1P6/8/8/8/8/8/4K3|8/8/8/8/8/8/8/8|4k3/8/8/8/8/8/8/4K3 w -|- - 0 9";
    let promoting = play(Variant::ParallelWorlds, promoting, &[]);
    let turn = worlds.parse_turn("e2@1e4@1").unwrap();
    let checked = "4/4/4/K2r|4/4/4/1N2|4/4/4/4|3k/4/4/R3 w 0 1";
    let checked = play(Variant::Fourfold, checked, &[]);
    let pinning = play(Variant::Fourfold, "4/4/4/KR1r|4/4/4/4|4/4/4/4|3k/4/4/4 w 0 1", &[]);
    for refused in [
        worlds.explain("", "e2", "e4").unwrap_err(),
        worlds.parse_turn("e2@1e4@1q").unwrap_err(),
        promoting.parse_turn("b7@1b8@1").unwrap_err(),
        checked.explain("", "b1@10", "b3@00").unwrap_err(),
        pinning.explain("", "b1@00", "b2@00").unwrap_err(),
        worlds.explain("e2@1e4@1,e2@3e4@3", "a2@1", "a2@2").unwrap_err(),
        Game::new(Variant::Fourfold).play(&turn).unwrap_err(),
    ] {
        codes.insert(refused.code());
    }
    assert_eq!(codes, TurnError::CODES.iter().copied().collect());
}

#[test]
fn what_a_sentence_mentions_is_there_as_data() {
    let game = Game::new(Variant::Fourfold);
    let refused = game.explain("", "c1@00", "a2@00").unwrap_err();
    assert_eq!(refused.code(), "unequal_distances");
    assert_eq!(refused.args(), [("role", "bishop".to_owned()), ("changes", "X-2 Y+1".to_owned())]);
    assert_eq!(TurnError::GameOver.args(), []);
}
