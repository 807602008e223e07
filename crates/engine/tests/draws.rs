//! The engine knows how a game is drawn, and whether it wants that.

use manifold_engine::{Limits, Score, best_turn};
use manifold_rules::{Game, GameEnd, Termination, Variant};

fn choose(game: &Game) -> (String, Score) {
    let choice = best_turn(game, Limits { nodes: Some(20_000), ..Limits::default() }).unwrap();
    (choice.turn.to_string(), choice.score)
}

fn after(fen: &str, turns: &[&str]) -> Game {
    let mut game = Game::from_fen(Variant::FourfoldClassic, fen).unwrap();
    for turn in turns {
        let turn = game.parse_turn(turn).unwrap();
        game.play(&turn).unwrap();
    }
    game
}

/// The classic start without one queen, after each side has moved a rook there and back twice, less Black's last move:
/// with that, the start would stand there for the third time.
fn shuffled(fen: &str) -> Game {
    let round = ["c1@10c2@10", "b4@01b3@01", "c2@10c1@10", "b3@01b4@01"];
    after(fen, &[round, round].concat()[..7])
}

const WHITE_LACKS_ITS_QUEEN: &str = "4/4/PPPP/RNK1|4/4/4/1BR1|1rb1/4/4/4|qknr/pppp/4/4 w 0 1";
const BLACK_LACKS_ITS_QUEEN: &str = "4/4/PPPP/RNKQ|4/4/4/1BR1|1rb1/4/4/4|1knr/pppp/4/4 w 0 1";

#[test]
fn a_loser_takes_a_draw_by_repetition() {
    let mut game = shuffled(BLACK_LACKS_ITS_QUEEN);
    let (turn, score) = choose(&game);
    assert_eq!(score, Score::Centipawns(0));
    game.play(&game.parse_turn(&turn).unwrap()).unwrap();
    assert_eq!(game.end().map(|end| end.termination), Some(Termination::Repetition));
}

#[test]
fn a_winner_does_not_repeat() {
    let game = shuffled(WHITE_LACKS_ITS_QUEEN);
    let (turn, score) = choose(&game);
    assert_ne!(turn, "b3@01b4@01");
    let wins = match score {
        Score::Centipawns(value) => value > 200,
        Score::MateIn(_) => true,
        Score::MatedIn(_) => false,
    };
    assert!(wins, "{score}");
}

/// White is far ahead, but only a pawn move keeps the game alive.
#[test]
fn a_winner_moves_a_pawn_before_the_hundred_moves_are_full() {
    let game = after("4/4/P3/KQ2|4/4/4/4|4/4/4/4|4/4/4/3k w 99 80", &[]);
    let (turn, _) = choose(&game);
    assert!(turn.starts_with("a2@00"), "{turn}");
}

/// A mate ends the game before the hundredth move can.
#[test]
fn a_mate_on_the_hundredth_move_counts() {
    let moves_to_mate = |clock: u32| {
        let fen = format!("4/3k/4/4|4/4/4/4|4/1Q2/4/4|4/K1p1/4/4 w {clock} 70");
        let mut game = after(&fen, &[]);
        while game.end().is_none() {
            let (turn, _) = choose(&game);
            game.play(&game.parse_turn(&turn).unwrap()).unwrap();
        }
        (game.ply(), game.end().map(|GameEnd { termination, .. }| termination))
    };
    assert_eq!(moves_to_mate(2), (3, Some(Termination::Checkmate)));
    assert_eq!(moves_to_mate(97), (3, Some(Termination::Checkmate)));
    assert_eq!(moves_to_mate(98).1, Some(Termination::HundredMoves));
}

#[test]
fn two_kings_are_worth_nothing() {
    // Deeper searches would see that nothing ever comes of it.
    let one = Limits { depth: Some(1), ..Limits::default() };
    let game = after("4/4/p3/K3|4/4/4/4|4/4/4/4|4/3k/4/4 w 0 1", &[]);
    let choice = best_turn(&game, one).unwrap();
    assert_eq!(choice.turn.to_string(), "a1@00a2@00", "else the pawn becomes a queen");
    assert_eq!(choice.score, Score::Centipawns(0));
}
