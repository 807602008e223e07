//! Parallel Worlds against a slow second implementation: which single moves may come next, where whole turns lead, and
//! that every text form reads back.

use manifold_rules::parallel::{PartialTurn, Position};
use manifold_rules::record::Record;
use manifold_rules::{Game, Marks, Position as AnyPosition, Termination, Variant};
use proptest::prelude::*;
use proptest::sample::Index;

#[path = "support/parallel_oracle.rs"]
mod oracle;
#[path = "support/random.rs"]
mod random;

use oracle::{Board, name, points};
use random::{Random, oracle_positions};

const STARTS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR|8/8/8/8/8/8/8/8|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq|KQkq - 0 1",
    // Castling on every wing.
    "r3k2r/p6p/8/8/8/8/P6P/R3K2R|8/8/8/8/8/8/8/8|r3k2r/pppp4/8/8/8/8/4PPPP/R3K2R w KQkq|KQkq - 0 2",
    // Pawns beside each other, ready to pass and to promote, on all levels.
    "4k3/PP1p1p2/8/4P1P1/4p1p1/8/pp1P1P2/4K3|8/PP6/8/8/8/8/pp6/8|4k3/PP1p1p2/8/4P1P1/4p1p1/8/pp1P1P2/4K3 b -|- - 0 9",
    "4k3/8/8/8/8/8/3r4/4K3|8/8/8/8/8/8/8/8|4k3/8/8/8/8/2n5/8/4K3 w -|- - 90 40",
];

/// Plays this choice of single moves: up to three a turn, where one choice in three ends the turn early.
fn turn(game: &Game, choices: &[Index]) -> Option<String> {
    let mut wire = String::new();
    for choice in choices {
        let next = game.under_way(&wire).unwrap().legal;
        if next.is_empty() || (!wire.is_empty() && choice.index(3) == 0) {
            break;
        }
        if !wire.is_empty() {
            wire.push(',');
        }
        wire.push_str(&next[choice.index(next.len())].to_string());
    }
    (!wire.is_empty()).then_some(wire)
}

/// Compares what may come next in the turn under way.
fn check_next(game: &Game, wire: &str, board: &Board) {
    let fen = game.fen();
    let next = game.under_way(wire).unwrap().legal;
    let mut next: Vec<String> = next.iter().map(ToString::to_string).collect();
    next.sort();
    assert_eq!(next, board.next_moves(), "{wire} in {fen}");
    for square in points() {
        // A king may have been captured by the last of these moves.
        let found = game.attackers(wire, &name(square)).unwrap().unwrap().into_iter();
        let found: Vec<_> =
            found.map(|a| (a.square, a.piece.fen_letter(), a.exposes_king)).collect();
        assert_eq!(found, board.attackers(square), "{} after {wire} in {fen}", name(square));
    }
}

/// Tries every pair of squares as the next move of the turn under way.
fn check_every_pair(game: &Game, wire: &str, board: &Board) {
    let fen = game.fen();
    let next = game.under_way(wire).unwrap().legal;
    let next: Vec<String> = next.iter().map(ToString::to_string).collect();
    for from in points() {
        for to in points() {
            let single = name(from) + &name(to);
            let longer = if wire.is_empty() { single.clone() } else { format!("{wire},{single}") };
            let legal = next.contains(&single);
            assert_eq!(game.parse_turn(&longer).is_ok(), legal, "{longer} in {fen}");
            if !legal && board.is_legal(from, to) {
                assert!(next.contains(&(single + "q")), "{longer} in {fen}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn reachable_positions_agree(
        start in prop::sample::select(&STARTS[..]),
        choices in prop::collection::vec(prop::array::uniform3(any::<Index>()), 1..60),
    ) {
        let mut game = Game::from_fen(Variant::ParallelWorlds, start).unwrap();
        let mut last = None;
        for choice in &choices {
            let Some(wire) = turn(&game, choice).filter(|_| game.end().is_none()) else { break };
            let before = game.clone();
            let parsed = game.parse_turn(&wire).unwrap();
            prop_assert_eq!(parsed.to_string(), &*wire);
            let lan = game.lan(&parsed);
            prop_assert_eq!(game.parse_lan(&lan, Marks::Required), Ok(parsed), "{}", lan);
            let board = Board::read(&game.fen());
            game.play(&parsed).unwrap();
            let after = wire.split(',').fold(board, |board, single| board.make(single)).end_turn();
            prop_assert_eq!(game.fen(), after.write(), "{} in {}", wire, before.fen());
            if game.end().is_none_or(|end| end.termination != Termination::Repetition) {
                let end = game.end().map_or("*".to_owned(), |end| end.to_string());
                prop_assert_eq!(end, after.outcome(), "{}", game.fen());
            }
            // Equality compares the incremental key too.
            let again = Game::from_fen(Variant::ParallelWorlds, &game.fen()).unwrap();
            prop_assert_eq!(again.position(), game.position());
            let (AnyPosition::Parallel(again), AnyPosition::Parallel(now)) = (again.position(), game.position()) else {
                panic!("a game of Parallel Worlds has positions of Parallel Worlds");
            };
            prop_assert_eq!((again.hash(), now.hash_from_scratch()), (now.hash(), now.hash()));
            last = Some((before, wire));
        }
        if let AnyPosition::Parallel(position) = game.position() {
            let counted = position.perft(1);
            // One by one a million turns take their time.
            if counted < 50_000 {
                let mut turns = 0;
                position.for_each_turn(|_, _| turns += 1);
                prop_assert_eq!(counted, turns, "{}", game.fen());
            }
        }
        if let Some((before, wire)) = last {
            let mut board = Board::read(&before.fen());
            let mut made = String::new();
            check_next(&before, "", &board);
            for single in wire.split(',') {
                board = board.make(single);
                made = if made.is_empty() { single.to_owned() } else { format!("{made},{single}") };
                check_next(&before, &made, &board);
            }
            let first = &wire[..wire.find(',').unwrap_or(wire.len())];
            check_every_pair(&before, first, &Board::read(&before.fen()).make(first));
        }
        let record = Record::new(game);
        let text = record.to_pgn();
        let read = Record::from_pgn(&text).unwrap();
        prop_assert_eq!(read.to_pgn(), text);
        prop_assert_eq!(read.game.turns(), record.game.turns());
        prop_assert_eq!(read.end, record.end);
    }
}

/// Every pair of squares and every promotion in the positions of random games and of the turns under way, where the
/// turns lead, and what a position's key would be if it were not kept up to date.
#[test]
fn random_games_agree() {
    let mut random = Random(3);
    let (mut positions, mut turns, mut pairs) = (0, 0, 0_u64);
    while positions < oracle_positions() {
        let mut position: Position = random.one_of(&STARTS).parse().unwrap();
        for _ in 0..200 {
            let fen = position.to_string();
            assert_eq!(fen.parse::<Position>(), Ok(position));
            assert_eq!(position.hash(), position.hash_from_scratch(), "{fen}");
            let mut board = Board::read(&fen);
            let mut turn = PartialTurn::new(&position);
            for made in 0.. {
                let moves = turn.next_moves();
                let mut found: Vec<String> = moves.iter().map(ToString::to_string).collect();
                found.sort();
                assert_eq!(found, board.next_moves(), "in {turn:?} of {fen}");
                positions += 1;
                pairs += 192 * 192;
                if moves.is_empty() || (made > 0 && *random.one_of(&[true, false, false])) {
                    break;
                }
                let single = *random.one_of(&moves);
                turn.play(single).unwrap();
                board = board.make(&single.to_string());
            }
            // Nothing moves once a king is gone, and nobody after a hundred turns.
            let over = position.halfmove_clock() == 100;
            if over || turn == PartialTurn::new(&position) {
                break;
            }
            position = turn.finish();
            turns += 1;
            assert_eq!(position.to_string(), board.end_turn().write(), "after {fen}");
        }
    }
    println!("{positions} positions of Parallel Worlds in {turns} turns, {pairs} pairs of squares");
}
