//! PGN4D, both ways.

use manifold_rules::record::{MAX_BYTES, Record, RecordError};
use manifold_rules::{Color, Game, GameEnd, LanError, Outcome, Termination, Variant};

const START: &str = "4/4/PPPP/RNBQ|4/4/PPPP/KBNR|rnbq/pppp/4/4|kbnr/pppp/4/4 w 0 1";
/// Black can give its queen away, after which only kings are left.
const BLACK_STARTS: &str = "4/4/4/K3|4/4/4/4|4/4/2q1/4|3k/4/4/4 b 0 12";

/// A record of our own with this start, these extra tags, and this text after the tags.
fn text(fen: &str, tags: &str, moves: &str) -> String {
    format!(
        "[Variant \"Fourfold-4x4x2x2\"]\n[Format \"PGN4D\"]\n[FormatVersion \"1\"]\n\
         [Notation \"LAN4D\"]\n[SetUp \"1\"]\n[FEN4D \"{fen}\"]\n{tags}\n{moves}\n"
    )
}

fn read(tags: &str, moves: &str) -> Result<Record, RecordError> {
    Record::from_pgn(&text(START, tags, moves))
}

const ONGOING: &str = "[Result \"*\"]\n";

#[test]
fn a_written_record_reads_back() {
    let mut game = Game::new(Variant::FourfoldClassic);
    for wire in ["a2@00a3@00", "b3@11b2@11", "d1@00d1@01"] {
        game.play(&game.parse_turn(wire).unwrap()).unwrap();
    }
    let mut record = Record::new(game);
    record.tags.site = Some("https://chess.example/g/1".to_owned());
    record.tags.white = Some("\"Ada\\\" of [Manifold] {née É}".to_owned());
    record.tags.black_elo = Some("1612?".to_owned());
    record.end =
        Some(GameEnd { outcome: Outcome::Win(Color::Black), termination: Termination::Timeout });
    let written = record.to_pgn();
    assert!(written.contains(r#"[White "\"Ada\\\" of [Manifold] {née É}"]"#), "{written}");
    let read = Record::from_pgn(&written).unwrap();
    assert_eq!(read.to_pgn(), written);
    assert_eq!(read.tags, record.tags);
    assert_eq!(read.end, record.end);
    assert_eq!(read.game.variant(), Variant::FourfoldClassic);
    assert_eq!(read.game.fen(), record.game.fen());
    assert_eq!(read.game.turns(), record.game.turns());
}

#[test]
fn clocks_are_told_after_each_turn_and_read_back() {
    let mut game = Game::new(Variant::Fourfold);
    for wire in ["d1@00c2@01", "b3@01b2@01", "c2@01b3@00"] {
        game.play(&game.parse_turn(wire).unwrap()).unwrap();
    }
    let mut record = Record::new(game);
    let bare = record.to_pgn();
    for (clocks, expected) in [
        (
            [Some(180_000), Some(0), Some(3_599_999)],
            "{[%clk 0:03:00]} 1... b3@01-b2@01 {[%clk 0:00:00]}",
        ),
        ([Some(36_000_050), None, Some(100)], "{[%clk 10:00:00.05]}"),
        ([None, Some(59_900), None], "{[%clk 0:00:59.9]}"),
    ] {
        record.clocks = clocks.to_vec();
        let written = record.to_pgn();
        let line = written.replace('\n', " ");
        assert!(line.contains(expected), "{line}");
        let read = Record::from_pgn(&written).unwrap();
        assert_eq!(read.clocks, record.clocks, "{written}");
        assert_eq!(read.to_pgn(), written);
    }
    // Without clocks nothing is different.
    record.clocks = vec![None; 3];
    assert_eq!(record.to_pgn(), bare);
    assert!(Record::from_pgn(&bare).unwrap().clocks.is_empty());
}

#[test]
fn clocks_of_others_are_read_and_what_is_none_is_a_comment() {
    let told = |comment: &str| {
        let moves = format!("{{[%clk 9:09:09]}} 1. a2@00-a3@00 {comment} b3@01-b2@01 *");
        read(ONGOING, &moves).unwrap().clocks
    };
    for (comment, ms) in [
        ("{ [%clk 1:02:03] }", 3_723_000),
        ("{[%eval 0.3] [%clk 0:00:01.25] good}", 1250),
        ("{[%clk 0:00:09.123456]}", 9123),
        ("{[%clk 000:00:09]} 1...", 9000),
    ] {
        assert_eq!(told(comment), [Some(ms), None], "{comment}");
    }
    for none in [
        "",
        "{[%clk]}",
        "{[%clk 1:2]}",
        "{[%clk 0:61:00]}",
        "{[%clk 0:00:-1]}",
        "{[%clk 1:00:00:00]}",
        "{[%clk 0:00:1.]}",
        "{[%clk 99999999999:00:00]}",
        "{[%emt 0:00:01]}",
    ] {
        assert_eq!(told(none), [], "{none}");
    }
}

#[test]
fn control_characters_never_reach_the_text() {
    let mut record = Record::new(Game::new(Variant::Fourfold));
    record.tags.white = Some("a\"]\n[Black \"b\u{7}".to_owned());
    let read = Record::from_pgn(&record.to_pgn()).unwrap();
    assert_eq!(read.tags.white.as_deref(), Some("a\"] [Black \"b "));
    assert_eq!(read.tags.black, None);
}

#[test]
fn black_may_start() {
    let moves = "12... Qc2@01-b1@00+ 13. Ka1@00xb1@00 *";
    let error = Record::from_pgn(&text(BLACK_STARTS, ONGOING, moves)).unwrap_err();
    // After the capture only kings are left, so the record has to say that it is a draw.
    assert_eq!(error, RecordError::WrongResult { found: "*", expected: "1/2-1/2" });
    let moves = moves.replace('*', "1/2-1/2");
    let tags = "[Result \"1/2-1/2\"]\n[Termination \"bare_kings\"]\n";
    let record = Record::from_pgn(&text(BLACK_STARTS, tags, &moves)).unwrap();
    assert!(record.to_pgn().ends_with(&format!("\n{moves}\n")));
    assert_eq!(record.end.unwrap().termination, Termination::BareKings);
}

#[test]
fn comments_glyphs_and_line_ends_are_passed_over() {
    let plain = read(ONGOING, "1. Qd1@00-d1@11 b3@01-b2@01 2. Qd1@11-c1@01 *").unwrap();
    let decorated = "{before} 1.Qd1[0,0]-d1 [1,1]!? $14 {a (b) [c] ; 1-0\n} 1... b3@01-b2@01?? \
                     ; to the end * of { the line\n2. Qd1@11-c1@01$1 *{after} ; end";
    assert_eq!(read(ONGOING, decorated).unwrap(), plain);
    let everything = text(START, ONGOING, decorated).replace('\n', "\r\n");
    assert_eq!(Record::from_pgn(&format!("\u{feff}{everything}")).unwrap(), plain);
}

#[test]
fn the_other_exporter_is_read() {
    let moves = "1. Rd1[0,0]-d1[0,1] *";
    let tags = "[Event \"x\"]\n[Notation \"4D-LAN\"]\n[Rules \"fourfold-v1\"]\n[Result \"*\"]\n";
    let error = Record::from_pgn(&format!("{tags}\n{moves}")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "Move 1. Rd1[0,0]-d1[0,1] is refused: “Rd1[0,0]-d1[0,1]” has a wrong piece letter; the \
         move is written “Qd1@00-d1@01”."
    );
    let record = Record::from_pgn(&format!("{tags}\n{}", moves.replace('R', "Q"))).unwrap();
    assert_eq!(record.game.variant(), Variant::FourfoldClassic);
    assert!(record.to_pgn().contains("[Event \"x\"]"));
    assert!(Record::from_pgn(&tags.replace("-v1", "-v2")).is_err());
}

#[test]
fn people_and_clocks_may_end_a_game() {
    for (result, termination) in [
        ("1-0", "resignation"),
        ("0-1", "timeout"),
        ("1/2-1/2", "timeout"),
        ("1/2-1/2", "agreement"),
        ("1-0", "abandonment"),
        ("1/2-1/2", "abandonment"),
        ("*", "aborted"),
    ] {
        let tags = format!("[Result \"{result}\"]\n[Termination \"{termination}\"]\n");
        let record = read(&tags, &format!("1. Qd1@00-d1@11 {result}")).unwrap();
        let end = record.end.unwrap();
        assert_eq!((end.outcome.result_token(), end.termination.as_str()), (result, termination));
    }
    for (result, termination) in [
        ("1-0", "agreement"),
        ("1/2-1/2", "resignation"),
        ("*", "timeout"),
        ("1-0", "aborted"),
        ("1-0", "checkmate"),
        ("1/2-1/2", "stalemate"),
        ("1-0", "boredom"),
    ] {
        let tags = format!("[Result \"{result}\"]\n[Termination \"{termination}\"]\n");
        let error = read(&tags, &format!("1. Qd1@00-d1@11 {result}")).unwrap_err();
        assert!(matches!(error, RecordError::WrongTermination { .. }), "{result} {termination}");
    }
}

#[test]
fn what_is_wrong_is_named() {
    // (tags, movetext, beginning of the refusal)
    for (tags, moves, expected) in [
        (ONGOING, "2. Qd1@00-d1@11 *", "Line 9: “2.” stands where the move number 1. belongs"),
        (ONGOING, "Qd1@00-d1@11 *", "Line 9: “Qd1@00-d1@11” stands where the move number 1."),
        (ONGOING, "1... Qd1@00-d1@11 *", "Line 9: “1...” stands where the move number 1."),
        (ONGOING, "1. 1. Qd1@00-d1@11 *", "Line 9: “1.” stands where"),
        (
            ONGOING,
            "1. Qd1@00-d1@11 2. b3@01-b2@01 *",
            "Line 9: “2.” stands where the move number 1...",
        ),
        (ONGOING, "1. *", "Line 9: “*” stands where the move number 1."),
        (
            ONGOING,
            "1. Qd1@00xd1@11 *",
            "Move 1. Qd1@00xd1@11 is refused: “Qd1@00xd1@11” has a wrong capture mark",
        ),
        (
            ONGOING,
            "1. Qd1@00-d1@11+ *",
            "Move 1. Qd1@00-d1@11+ is refused: “Qd1@00-d1@11+” has a wrong check mark",
        ),
        (
            ONGOING,
            "1. Qd1@00-d1@11=Q *",
            "Move 1. Qd1@00-d1@11=Q is refused: “Qd1@00-d1@11=Q” has a wrong promotion mark",
        ),
        (
            ONGOING,
            "1. Nd1@00-d1@11 *",
            "Move 1. Nd1@00-d1@11 is refused: “Nd1@00-d1@11” has a wrong piece letter",
        ),
        (
            ONGOING,
            "1. Qd1@00-d1@11 Rd4@01-d1@01 *",
            "Move 1... Rd4@01-d1@01 is refused: The pawn on d3[0,1] is in the way.",
        ),
        (
            ONGOING,
            "1. e4 *",
            "Move 1. e4 is refused: “e4” is not a move in long algebraic notation.",
        ),
        (ONGOING, "1. Qd1@00-d1@11 (1. a2@00-a3@00) *", "Line 9: variations"),
        (ONGOING, "1. Qd1@00-d1@11 {open *", "Line 9: this comment"),
        (ONGOING, "* *", "Line 9: the text goes on"),
        (ONGOING, "*\n[White \"x\"]", "Line 10: the text goes on"),
        (ONGOING, "1. Qd1@00-d1@11", "The moves must end with their result"),
        (ONGOING, "1-0", "The result after the moves is 1-0, but the tag Result is “*”"),
        ("[Result \"1-0\"]\n", "1-0", "The result is 1-0, but after these moves it is *"),
        ("", "*", "The tag Result is missing"),
        ("[Result \"*\"]\n[Result \"*\"]\n", "*", "The tag Result is there twice"),
        ("[White \"a\"b\"]\n[Result \"*\"]\n", "*", "Line 7: a tag is written"),
        ("[White \"a\\b\"]\n[Result \"*\"]\n", "*", "Line 7: a tag is written"),
        ("[White \"a\nb\"]\n[Result \"*\"]\n", "*", "Line 7: a tag is written"),
        ("[White \"a\tb\"]\n[Result \"*\"]\n", "*", "Line 7: a tag is written"),
        ("[White a]\n[Result \"*\"]\n", "*", "Line 7: a tag is written"),
        ("[White \"a\"\n[Result \"*\"]\n", "*", "Line 7: a tag is written"),
    ] {
        let error = read(tags, moves).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{tags}{moves}: {error}");
    }
}

#[test]
fn required_tags_are_required_as_they_are() {
    let whole = text(START, ONGOING, "*");
    assert!(Record::from_pgn(&whole).is_ok());
    for name in ["Variant", "Format", "FormatVersion", "Notation", "SetUp", "FEN4D"] {
        let line = whole.lines().find(|line| line.starts_with(&format!("[{name} "))).unwrap();
        let missing = Record::from_pgn(&whole.replace(&format!("{line}\n"), "")).unwrap_err();
        assert!(matches!(missing, RecordError::MissingTag(tag) if tag == name), "{missing}");
        let other = whole.replace(line, &format!("[{name} \"2\"]"));
        let wrong = Record::from_pgn(&other).unwrap_err();
        assert!(matches!(wrong, RecordError::WrongTag { .. } | RecordError::Fen(_)), "{wrong}");
    }
}

#[test]
fn what_the_rules_say_is_not_overruled() {
    let moves = "12... Qc2@01-b1@00+ 13. Ka1@00xb1@00 1/2-1/2";
    for (termination, right) in [("bare_kings", true), ("agreement", false), ("stalemate", false)] {
        let tags = format!("[Result \"1/2-1/2\"]\n[Termination \"{termination}\"]\n");
        let read = Record::from_pgn(&text(BLACK_STARTS, &tags, moves));
        assert_eq!(read.is_ok(), right, "{termination}: {read:?}");
    }
}

#[test]
fn nothing_follows_the_end() {
    let moves = "12... Qc2@01-b1@00+ 13. Ka1@00xb1@00 Kd4@11-d3@11 1/2-1/2";
    let error = Record::from_pgn(&text(BLACK_STARTS, "[Result \"1/2-1/2\"]\n", moves)).unwrap_err();
    let RecordError::Move { number, reason: LanError::Turn(reason), .. } = error else {
        panic!("{error}");
    };
    assert_eq!((number.as_str(), reason.to_string().as_str()), ("13...", "The game is over."));
}

#[test]
fn sizes_have_limits() {
    let base = text(START, ONGOING, "*");
    let filled = format!("{base};{}", "x".repeat(MAX_BYTES - base.len() - 1));
    assert!(Record::from_pgn(&filled).is_ok());
    assert_eq!(Record::from_pgn(&format!("{filled}x")).unwrap_err(), RecordError::TooLong);
}
