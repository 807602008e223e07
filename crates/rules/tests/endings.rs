//! How games end: each end alone, and which one counts when several apply.

use manifold_rules::{Color, Game, TurnError, Variant};

#[path = "support/game.rs"]
mod support;

use support::{end, refusal};

/// Complete games from an independent slow implementation.
const GAMES: &str = include_str!("vectors/fourfold.tsv");

fn play(fen: &str, turns: &[&str]) -> Game {
    support::play(Variant::Fourfold, fen, turns)
}

/// Rooks on both sides, far from the kings.
const ROOKS: &str = "4/4/4/K2R|4/4/4/4|4/4/4/4|r2k/4/4/4";
/// A rook a side goes away, and comes back.
const BACK_AND_FORTH: [&str; 4] = ["d1@00d2@00", "a4@11a3@11", "d2@00d1@00", "a3@11a4@11"];

#[test]
fn case_07_the_third_time_is_a_draw_and_the_start_counts() {
    let fen = format!("{ROOKS} w 0 1");
    let seven: Vec<&str> = BACK_AND_FORTH.into_iter().cycle().take(7).collect();
    assert_eq!(end(&play(&fen, &seven)), "*");
    let eight: Vec<&str> = BACK_AND_FORTH.into_iter().cycle().take(8).collect();
    let mut game = play(&fen, &eight);
    assert_eq!(end(&game), "1/2-1/2 repetition");
    assert_eq!(game.legal_turns(), []);
    assert_eq!(game.parse_turn(BACK_AND_FORTH[0]), Err(TurnError::GameOver));
    // A turn taken back is no longer a repetition, and may lead to it again.
    let last = game.undo().unwrap();
    assert_eq!(end(&game), "*");
    game.play(&last).unwrap();
    assert_eq!(end(&game), "1/2-1/2 repetition");
    assert_eq!(game.play(&last), Err(TurnError::GameOver));
}

#[test]
fn the_same_placement_with_the_other_side_to_move_is_another_position() {
    // The rook loses a move on its way back, so every placement comes up with both sides to move.
    let triangle = ["d1@00d2@00", "a4@11a3@11", "d2@00d3@00", "a3@11a4@11", "d3@00d1@00"];
    let mirrored = ["a4@11a3@11", "d1@00d2@00", "a3@11a2@11", "d2@00d1@00", "a2@11a4@11"];
    let fen = format!("{ROOKS} w 0 1");
    let turns = [triangle, mirrored].concat();
    assert_eq!(end(&play(&fen, &turns)), "*");
    assert_eq!(play(&fen, &turns).fen(), format!("{ROOKS} w 10 6"));
    let seventeen: Vec<&str> = turns.iter().copied().cycle().take(17).collect();
    // Each placement has been there at least three times, the start among them, but never thrice for one side.
    assert_eq!(end(&play(&fen, &seventeen)), "*");
    let twenty: Vec<&str> = turns.iter().copied().cycle().take(20).collect();
    assert_eq!(end(&play(&fen, &twenty)), "1/2-1/2 repetition");
}

#[test]
fn a_hundred_moves_are_counted_from_the_start_position() {
    let game = play(&format!("{ROOKS} w 98 70"), &BACK_AND_FORTH[..1]);
    assert_eq!(end(&game), "*");
    let game = play(&format!("{ROOKS} w 98 70"), &BACK_AND_FORTH[..2]);
    assert_eq!(end(&game), "1/2-1/2 hundred_moves");
    assert_eq!(game.fen(), "4/4/3R/K3|4/4/4/4|4/4/4/4|3k/r3/4/4 w 100 71");
    // Also at the third repetition at the same time.
    let eight: Vec<&str> = BACK_AND_FORTH.into_iter().cycle().take(8).collect();
    assert_eq!(end(&play(&format!("{ROOKS} w 92 70"), &eight)), "1/2-1/2 hundred_moves");
    // And in a position that starts so.
    assert_eq!(end(&play(&format!("{ROOKS} b 100 70"), &[])), "1/2-1/2 hundred_moves");
}

#[test]
fn a_pawn_move_and_a_capture_start_the_count_anew() {
    let fen = "4/4/4/K2R|4/4/P3/4|4/4/4/4|r2k/4/4/4 w 99 70";
    assert_eq!(play(fen, &["a2@10a3@10"]).fen(), "4/4/4/K2R|4/P3/4/4|4/4/4/4|r2k/4/4/4 b 0 70");
    let fen = "4/4/4/K2R|4/4/4/3r|4/4/4/4|r2k/4/4/4 w 99 70";
    assert_eq!(play(fen, &["d1@00d1@10"]).fen(), "4/4/4/K3|4/4/4/3R|4/4/4/4|r2k/4/4/4 b 0 70");
}

/// Every position of the recorded games once more with a full clock: an earlier end of the list still counts first.
#[test]
fn mate_stalemate_and_bare_kings_come_before_the_hundred_moves() {
    let mut seen = [0; 4];
    for line in GAMES.lines() {
        let [_, fen, outcome, _] = line.split('\t').collect::<Vec<_>>()[..] else { continue };
        let fields: Vec<&str> = fen.split(' ').collect();
        let full = format!("{} {} 100 {}", fields[0], fields[1], fields[3]);
        let (kind, expected) = match outcome {
            "1-0 checkmate" | "0-1 checkmate" => (0, outcome),
            "1/2-1/2 stalemate" => (1, outcome),
            "1/2-1/2 bare_kings" => (2, outcome),
            _ => (3, "1/2-1/2 hundred_moves"),
        };
        seen[kind] += 1;
        assert_eq!(end(&play(&full, &[])), expected, "{full}");
    }
    assert_eq!(seen, [19, 1, 20, 6163]);
}

#[test]
fn a_bare_king_is_a_king_and_nothing_else() {
    let game = play("4/4/4/K3|4/4/4/4|4/4/q3/4|3k/4/4/4 w 0 1", &[]);
    assert!(game.has_bare_king(Color::White));
    assert!(!game.has_bare_king(Color::Black));
    let start = Game::new(Variant::Fourfold);
    assert!(!start.has_bare_king(Color::White) && !start.has_bare_king(Color::Black));
}

#[test]
fn the_square_of_a_king_in_check_is_told() {
    let game = play("4/4/4/K3|4/4/4/4|4/4/q3/4|3k/4/4/4 w 0 1", &[]);
    assert_eq!(game.check().as_deref(), Some("a1@00"));
    assert_eq!(Game::new(Variant::Fourfold).check(), None);
}

#[test]
fn each_refusal_says_why() {
    // The rook on b1 is pinned by the one on d1.
    let game = play("4/4/4/KR1r|4/4/4/4|4/4/4/4|3k/4/4/4 w 0 1", &[]);
    for (wire, expected) in [
        ("", "“” is not a move; write it like a1@00a1@01."),
        ("b1@00b2@00!", "“b1@00b2@00!” is not a move; write it like a1@00a1@01."),
        ("c1@00c2@00", "There is no piece of yours on c1[0,0]."),
        ("d1@00c1@00", "The rook on d1[0,0] is not yours."),
        (
            "b1@00c2@01",
            "A rook changes exactly one coordinate; this would change three: X, Y and W.",
        ),
        ("b1@00b1@00", "The rook is on b1[0,0] already."),
        (
            "b1@00b1@01",
            "The rook on b1[0,0] is pinned: your king would be attacked by the rook on d1[0,0].",
        ),
        ("a1@00a1@01", "*"),
        ("b1@00d1@00", "*"),
    ] {
        let found = refusal(game.parse_turn(wire));
        assert_eq!(found, expected, "{wire}");
        let malformed = game.parse_turn(wire).is_err_and(|error| error.is_malformed());
        assert_eq!(malformed, expected.contains("is not a move"), "{wire}");
    }
}

#[test]
fn each_fen_that_is_refused_says_why() {
    let start = "4/4/PPPP/RNBQ|4/4/PPPP/KBNR|rnbq/pppp/4/4|kbnr/pppp/4/4 w 0 1";
    for (from, to, expected) in [
        (" 0 1", " 0", "A FEN has 4 fields with one space between them, not 3."),
        (" w", "  w", "A FEN has 4 fields with one space between them, not 5."),
        ("|rnbq/pppp/4/4|", "|", "The placement has 4 boards joined by “|”, not 3."),
        ("RNBQ|4/", "RNBQ|", "Board 2 of the placement has 3 ranks joined by “/” instead of 4."),
        ("RNBQ", "RNB", "“RNB” on board 1 does not describe exactly 4 squares."),
        ("RNBQ", "RNBQQ", "“RNBQQ” on board 1 does not describe exactly 4 squares."),
        ("RNBQ", "RNB2", "“RNB2” on board 1 does not describe exactly 4 squares."),
        ("/4/PPPP/R", "/22/PPPP/R", "“22” on board 1 does not describe exactly 4 squares."),
        ("/4/PPPP/R", "/5/PPPP/R", "“5” on board 1 does not describe exactly 4 squares."),
        ("/4/PPPP/R", "//PPPP/R", "“” on board 1 does not describe exactly 4 squares."),
        ("RNBQ", "R0NBQ", "“0” is neither a piece nor a number of empty squares."),
        ("RNBQ", "RNBX", "“X” is neither a piece nor a number of empty squares."),
        ("RNBQ", "RNBé", "“é” is neither a piece nor a number of empty squares."),
        (" w ", " W ", "The side to move is “w” or “b”, not “W”."),
        (" 0 1", " 101 1", "The halfmove clock is a number from 0 to 100, not “101”."),
        (" 0 1", " -1 1", "The halfmove clock is a number from 0 to 100, not “-1”."),
        (" 0 1", " 00 1", "The halfmove clock is a number from 0 to 100, not “00”."),
        (" 0 1", " +1 1", "The halfmove clock is a number from 0 to 100, not “+1”."),
        (" 0 1", " 0 0", "The fullmove number is a number from 1 to 1000000, not “0”."),
        (" 0 1", " 0 1000001", "The fullmove number is a number from 1 to 1000000, not “1000001”."),
        (
            " 0 1",
            " 0 99999999999",
            "The fullmove number is a number from 1 to 1000000, not “99999999999”.",
        ),
        ("KBNR", "QBNR", "A side has exactly one king, but white has 0."),
        ("rnbq", "rnkq", "A side has exactly one king, but black has 2."),
        ("4/4/PPPP/RNBQ", "4P/4/PPPP/RNBQ", "“4P” on board 1 does not describe exactly 4 squares."),
        ("4/4/PPPP/RNBQ", "3P/4/PPPP/RNBQ", "The pawn on d4[0,0] stands on its promotion rank."),
        ("pppp/4/4 w", "pppp/4/p3 w", "The pawn on a1[1,1] stands on its promotion rank."),
        ("pppp/4/4 w", "pppp/4/Q3 w", "*"),
        (
            "kbnr/pppp",
            "kQnr/pppp",
            "The king of the side that just moved, on a4[1,1], is attacked.",
        ),
        (" 0 1", " 100 1000000", "*"),
    ] {
        assert!(start.contains(from), "{from}");
        let fen = start.replacen(from, to, 1);
        let found = refusal(Game::from_fen(Variant::Fourfold, &fen));
        assert_eq!(found, expected, "{fen}");
    }
}

#[test]
fn the_move_number_stays_at_its_limit() {
    let game = play(&format!("{ROOKS} w 0 1000000"), &BACK_AND_FORTH[..2]);
    assert!(game.fen().ends_with(" w 2 1000000"), "{}", game.fen());
}
