//! Games in short, for the tests.

use manifold_rules::{Game, Variant};

/// The game after these turns in wire form. What each would end is foretold, as it then comes about.
pub fn play(variant: Variant, fen: &str, turns: &[&str]) -> Game {
    let mut game = Game::from_fen(variant, fen).unwrap();
    for wire in turns {
        let turn = game.parse_turn(wire).unwrap();
        let foretold = game.end_after(&turn);
        game.play(&turn).unwrap();
        assert_eq!(foretold, Ok(game.end()), "{wire}");
    }
    game
}

/// How the game has ended, as in the vectors; `*` if it goes on.
pub fn end(game: &Game) -> String {
    game.end().map_or("*".to_owned(), |end| end.to_string())
}

/// The sentence of a refusal, or `*`.
pub fn refusal<T, E: ToString>(result: Result<T, E>) -> String {
    result.map_or_else(|error| error.to_string(), |_| "*".to_owned())
}
