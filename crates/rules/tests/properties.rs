//! What holds for every game, however it was played: each text form reads back, and each refusal leaves no trace.

use manifold_rules::fourfold::{Bitboard, Move, Position, Square, attacks};
use manifold_rules::record::{Record, RecordError};
use manifold_rules::{
    Color, Game, GameEnd, Marks, Outcome, Piece, Position as AnyPosition, Role, Termination, Turn,
    Variant,
};
use proptest::prelude::*;
use proptest::sample::Index;

fn config() -> ProptestConfig {
    ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() }
}

fn position(game: &Game) -> Position {
    match game.position() {
        AnyPosition::Fourfold(position) => *position,
        AnyPosition::Parallel(_) => panic!("a game of Fourfold was asked for"),
    }
}

/// A game of up to this many random turns.
fn games(plies: usize) -> impl Strategy<Value = Game> {
    let choices = prop::collection::vec(any::<Index>(), 0..plies);
    (prop::sample::select(&[Variant::Fourfold, Variant::FourfoldClassic][..]), choices).prop_map(
        |(variant, choices)| {
            let mut game = Game::new(variant);
            for choice in choices {
                let turns = game.legal_turns();
                if turns.is_empty() {
                    break;
                }
                game.play(&turns[choice.index(turns.len())]).unwrap();
            }
            game
        },
    )
}

/// Ends that people and clocks can bring about.
fn ends() -> impl Strategy<Value = Option<GameEnd>> {
    use Termination::{Abandonment, Aborted, Agreement, Resignation, Timeout};
    let end = |outcome, termination| Some(GameEnd { outcome, termination });
    prop::sample::select(vec![
        None,
        end(Outcome::Win(Color::White), Resignation),
        end(Outcome::Win(Color::Black), Timeout),
        end(Outcome::Draw, Timeout),
        end(Outcome::Draw, Agreement),
        end(Outcome::Win(Color::Black), Abandonment),
        end(Outcome::Aborted, Aborted),
    ])
}

proptest! {
    #![proptest_config(config())]

    /// Equality of positions compares every field, the incremental key too, with one computed from the FEN.
    #[test]
    fn every_fen_reads_back(game in games(150)) {
        let fen = game.fen();
        prop_assert_eq!(fen.parse::<Position>(), Ok(position(&game)));
        prop_assert_eq!(Game::from_fen(game.variant(), &fen).unwrap().fen(), fen);
    }

    #[test]
    fn every_turn_reads_back(game in games(100)) {
        for turn in game.legal_turns() {
            prop_assert_eq!(game.parse_turn(&turn.to_string()), Ok(turn));
            let lan = game.lan(&turn);
            prop_assert_eq!(game.parse_lan(&lan, Marks::Required), Ok(turn));
            let right_check = &lan[lan.trim_end_matches(['+', '#']).len()..];
            let right_promotion = if lan.contains("=Q") { "=Q" } else { "" };
            let move_alone = &lan[..lan.len() - right_check.len() - right_promotion.len()];
            for (promotion, check) in
                ["", "=Q"].into_iter().flat_map(|p| ["", "+", "#"].map(|check| (p, check)))
            {
                let text = format!("{move_alone}{promotion}{check}");
                prop_assert_eq!(game.parse_lan(&text, Marks::Required).is_ok(), text == lan, "{}", text);
                let nothing_wrong = (promotion.is_empty() || promotion == right_promotion)
                    && (check.is_empty() || check == right_check);
                prop_assert_eq!(game.parse_lan(&text, Marks::Optional).is_ok(), nothing_wrong, "{}", text);
            }
        }
    }

    #[test]
    fn a_turn_taken_back_leaves_no_trace(game in games(60)) {
        let mut replayed = Game::new(game.variant());
        let mut seen = vec![(replayed.fen(), replayed.end(), replayed.check())];
        for turn in game.turns() {
            replayed.play(turn).unwrap();
            seen.push((replayed.fen(), replayed.end(), replayed.check()));
        }
        prop_assert_eq!(replayed.fen(), game.fen());
        for turn in game.turns().iter().rev() {
            let now = (replayed.fen(), replayed.end(), replayed.check());
            prop_assert_eq!(Some(now), seen.pop());
            prop_assert_eq!(replayed.undo(), Some(*turn));
        }
        prop_assert_eq!(replayed.undo(), None);
        prop_assert_eq!(replayed.fen(), Game::new(game.variant()).fen());
    }

    /// What a search uses instead of `legal_moves` and `after` agrees with them.
    #[test]
    fn shortcuts_of_a_search_agree_with_the_long_way(game in games(120)) {
        let here = position(&game);
        let us = here.side_to_move();
        let mut tactical = Vec::new();
        here.for_each_capture_or_promotion(|moves| {
            tactical.extend(moves.to.into_iter().map(|to| Move { from: moves.from, to }));
        });
        let mut expected = here.legal_moves();
        expected.retain(|turn| {
            let promotes = here.role_at(turn.from) == Some(Role::Pawn) && matches!(turn.to.y(), 0 | 3);
            promotes || here.by_color(us.other()).has(turn.to)
        });
        prop_assert_eq!(tactical, expected);

        for turn in here.legal_moves() {
            let role = here.role_at(turn.from).unwrap();
            prop_assert_eq!(here.after_legal(role, turn), here.after(turn).unwrap());
        }
        for square in Square::all() {
            let mut expected = Bitboard::EMPTY;
            for piece in here.occupied() {
                // Who could capture here, if an enemy stood here and kings were safe?
                let Piece { color, role } = here.piece_at(piece).unwrap();
                let occupied = here.occupied();
                let reached = match role {
                    Role::Pawn => attacks::pawn_captures(color, piece),
                    Role::Knight => attacks::knight(piece),
                    Role::Bishop => attacks::bishop(piece, occupied),
                    Role::Rook => attacks::rook(piece, occupied),
                    Role::Queen => attacks::queen(piece, occupied),
                    Role::King => attacks::king(piece),
                };
                if reached.has(square) {
                    expected |= Bitboard::of(piece);
                }
            }
            prop_assert_eq!(here.attackers_among(square, here.occupied()), expected);
        }
        match here.after_pass() {
            None => prop_assert!(here.in_check()),
            Some(passed) => {
                let fen = passed.to_string();
                prop_assert_eq!(passed.side_to_move(), us.other());
                prop_assert_eq!(passed.halfmove_clock(), 0);
                prop_assert_eq!(fen.parse::<Position>(), Ok(passed));
            }
        }
        let line: Vec<String> = game.positions().map(|position| position.to_string()).collect();
        prop_assert_eq!(line.first(), Some(&game.start_fen()));
        prop_assert_eq!(line.last(), Some(&game.fen()));
        prop_assert_eq!(line.len(), game.ply() + 1);
    }

    #[test]
    fn every_record_reads_back(
        game in games(200),
        end in ends(),
        white in any::<Option<String>>(),
        site in "[ -~é\\\\\"]{0,40}",
        clocks in prop::collection::vec(prop::option::of(0..=u64::from(u32::MAX)), 200),
    ) {
        let mut record = Record::new(game);
        record.clocks = clocks.into_iter().take(record.game.ply()).collect();
        record.end = record.end.or(end);
        record.tags.white = white.clone();
        record.tags.site = Some(site.clone());
        let text = record.to_pgn();
        let read = Record::from_pgn(&text).unwrap();
        prop_assert_eq!(read.to_pgn(), text);
        prop_assert_eq!(read.end, record.end);
        let told = record.clocks.iter().any(Option::is_some);
        prop_assert_eq!(read.clocks, if told { record.clocks } else { Vec::new() });
        prop_assert_eq!(read.game.variant(), record.game.variant());
        prop_assert_eq!(read.game.turns(), record.game.turns());
        prop_assert_eq!(read.tags.site, Some(site));
        let cleaned = white.map(|name| name.replace(char::is_control, " "));
        prop_assert_eq!(read.tags.white, cleaned);
    }

    /// A changed byte is refused or understood; it never stops the reader.
    #[test]
    fn damaged_records_are_refused_or_read(
        game in games(12),
        place in any::<Index>(),
        letter in any::<char>(),
    ) {
        let text = Record::new(game).to_pgn();
        let place = place.index(text.len());
        prop_assume!(text.is_char_boundary(place) && text.is_char_boundary(place + 1));
        let damaged = format!("{}{letter}{}", &text[..place], &text[place + 1..]);
        if let Ok(record) = Record::from_pgn(&damaged) {
            prop_assert_eq!(Record::from_pgn(&record.to_pgn()).unwrap(), record);
        }
    }

    #[test]
    fn no_text_stops_a_reader(text in any::<String>(), ascii in "[a-d1-4@01\\[\\], KQRBNPkqrbnp/|xw=+#-]{0,40}") {
        for text in [text, ascii] {
            let game = Game::new(Variant::Fourfold);
            if let Ok(square) = text.parse::<Square>() {
                prop_assert_eq!(square.to_string().parse(), Ok(square));
            }
            if let Ok(turn) = text.parse::<Move>() {
                prop_assert_eq!(turn.to_string().parse(), Ok(turn));
            }
            if let Ok(position) = text.parse::<Position>() {
                prop_assert_eq!(position.to_string(), text.clone());
            }
            if let Ok(turn) = game.parse_turn(&text) {
                prop_assert!(game.legal_turns().contains(&turn));
            }
            if let Ok(turn) = game.parse_lan(&text, Marks::Required) {
                prop_assert!(game.legal_turns().contains(&turn));
            }
            prop_assert!(Record::from_pgn(&text).is_err());
        }
    }
}

/// A quiet move as long as the hundred moves allow, then a pawn move, or a capture if there is none.
fn patient_turn(game: &mut Game, seed: &mut u64) -> Option<Turn> {
    let must_reset = position(game).halfmove_clock() >= 98;
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
    let mut turns = game.legal_turns();
    let offset = (*seed >> 33) as usize % turns.len().max(1);
    turns.rotate_left(offset);
    let fitting = turns.into_iter().filter_map(|turn| {
        let before = position(game).occupied().count();
        game.play(&turn).unwrap();
        let resets = position(game).halfmove_clock() == 0;
        let captures = position(game).occupied().count() < before;
        let goes_on = game.end().is_none();
        game.undo();
        goes_on.then_some((resets != must_reset, captures, turn))
    });
    fitting
        .min_by_key(|(early_or_late, captures, _)| (*early_or_late, *captures))
        .map(|(.., turn)| turn)
}

/// A record may be as long as it says, and not a move longer.
#[test]
fn a_record_has_at_most_4096_plies() {
    // Eight pawns a side that can each step three times, and knights to pass the time.
    let start = "4/4/1NNK/PPPP|4/4/NN2/PPPP|pppp/nn2/4/4|pppp/knn1/4/4 w 0 1";
    let mut game = Game::from_fen(Variant::Fourfold, start).unwrap();
    let mut seed = 1;
    while game.ply() < 4097 {
        match patient_turn(&mut game, &mut seed) {
            Some(turn) => game.play(&turn).unwrap(),
            None => panic!("{} after {}", game.fen(), game.ply()),
        }
    }
    let too_long = Record::new(game.clone()).to_pgn();
    assert_eq!(Record::from_pgn(&too_long).unwrap_err(), RecordError::TooManyPlies);
    game.undo();
    assert!(Record::from_pgn(&Record::new(game).to_pgn()).is_ok());
}

#[test]
fn every_fen_letter_reads_back() {
    for role in Role::ALL {
        for color in [Color::White, Color::Black] {
            let piece = Piece { color, role };
            assert_eq!(Piece::from_fen_letter(piece.fen_letter()), Some(piece));
        }
    }
}
