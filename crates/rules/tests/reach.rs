//! Where pieces go on an empty board: as many squares as counted by hand, and the same as the legal moves say.

use std::collections::BTreeSet;

use manifold_rules::{Game, Piece, Variant};

fn piece(letter: char) -> Piece {
    Piece::from_fen_letter(letter).unwrap()
}

#[test]
fn from_b2_of_the_bottom_left_board() {
    let check = |letter, moves, captures| {
        let reach = Variant::Fourfold.reach(piece(letter), "b2@00").unwrap();
        assert_eq!((reach.moves.len(), reach.captures.len()), (moves, captures), "{letter}");
    };
    // Along X three, along Y three, and one along each of Z and W.
    check('R', 8, 8);
    // Within the board 5; one along Z or W with one of four along X or Y: 8; along both Z and W: 1.
    check('B', 14, 14);
    // All of both, and one step along three (X or Y with Z and W, or X, Y and one of Z and W) or four coordinates.
    check('Q', 8 + 14 + 12 + 4, 38);
    // 3 · 3 · 2 · 2 squares around it, its own excepted.
    check('K', 35, 35);
    check('N', 8, 8);
    check('P', 1, 4);
    check('p', 1, 4);
}

#[test]
fn what_is_no_square_of_the_game_is_reached_by_nothing() {
    for text in ["", "e2@00", "b2@1", "b2@00x", "b2@02"] {
        assert_eq!(Variant::Fourfold.reach(piece('R'), text), None, "{text}");
    }
    for text in ["", "i2@1", "b2@00", "b2@4", "b2@11"] {
        assert_eq!(Variant::ParallelWorlds.reach(piece('R'), text), None, "{text}");
    }
}

/// Puts the piece between kings that neither stand in its way nor can be attacked from where it stands.
#[test]
fn legal_moves_agree_in_parallel_worlds() {
    let on_an_empty_board = |letter: char, square: &str| {
        let (place, level) = square.split_once('@').unwrap();
        let file = usize::from(place.as_bytes()[0] - b'a');
        let rank = usize::from(place.as_bytes()[1] - b'1');
        let mut boards = [[['1'; 8]; 8]; 3];
        for board in [0, 2] {
            boards[board][0][0] = 'K';
            boards[board][7][0] = 'k';
        }
        boards[level.parse::<usize>().unwrap() - 1][rank][file] = letter;
        let text = boards.map(|board| {
            let ranks = board.map(|rank| rank.iter().collect::<String>());
            ranks.into_iter().rev().collect::<Vec<_>>().join("/")
        });
        let side = if letter.is_ascii_uppercase() { 'w' } else { 'b' };
        // Ones in a row are no FEN: they are counted together.
        let mut placement = text.join("|");
        for n in (2..=8).rev() {
            placement = placement.replace(&"1".repeat(n), &n.to_string());
        }
        Game::from_fen(Variant::ParallelWorlds, &format!("{placement} {side} -|- - 0 9")).unwrap()
    };
    for letter in ['P', 'N', 'B', 'R', 'Q', 'p', 'n', 'q'] {
        for square in ["f4@1", "f4@2", "f4@3", "f2@1", "f7@3", "g2@2"] {
            let game = on_an_empty_board(letter, square);
            let legal: BTreeSet<String> = game
                .legal_first_moves()
                .iter()
                .map(ToString::to_string)
                .filter(|single| single.starts_with(square))
                .map(|single| single[4..8].to_owned())
                .collect();
            let reach = Variant::ParallelWorlds.reach(piece(letter), square).unwrap();
            let moves: BTreeSet<String> = reach.moves.into_iter().collect();
            assert_eq!(moves, legal, "{letter} on {square}");
            assert_eq!(reach.captures.is_empty(), square.ends_with('2'), "{letter} on {square}");
        }
    }
    let king = Variant::ParallelWorlds.reach(piece('K'), "e4@1").unwrap();
    assert_eq!(king.moves.len(), 8, "a king stays on its level");
}

#[test]
fn who_attacks_a_square_is_told_with_what_keeps_it_from_going() {
    let check = |fen: &str, square: &str, expected: &[(&str, char, bool)]| {
        let variant = if fen.contains('8') { Variant::ParallelWorlds } else { Variant::Fourfold };
        let game = Game::from_fen(variant, fen).unwrap();
        let found = game.attackers("", square).unwrap().unwrap().into_iter();
        let found: Vec<_> =
            found.map(|a| (a.square, a.piece.fen_letter(), a.exposes_king)).collect();
        let expected: Vec<_> = expected.iter().map(|(s, p, e)| ((*s).to_owned(), *p, *e)).collect();
        assert_eq!(found, expected, "{square} in {fen}");
    };
    // Mate: the queen on b3 is guarded by the king of White, so that the king of Black may not take it.
    let mate = "1k2/1Q2/4/4|4/4/4/4|4/4/2K1/4|4/4/4/4 b 1 30";
    check(mate, "b3@00", &[("b4@00", 'k', true), ("c2@01", 'K', false)]);
    check(mate, "b4@00", &[("b3@00", 'Q', false)]);
    // The rook on a2 is pinned on its file by the one on a4: it attacks b2 and may not go there, but does guard a3.
    let pin = "r3/4/R3/K3|4/4/4/4|4/4/4/4|4/4/4/3k w 0 9";
    check(pin, "b2@00", &[("a1@00", 'K', false), ("a2@00", 'R', true)]);
    check(pin, "a3@00", &[("a2@00", 'R', false), ("a4@00", 'r', false)]);
    // On the crossing nothing captures, so that nothing is attacked there.
    let start = Game::new(Variant::ParallelWorlds).fen();
    check(&start, "f3@1", &[("g1@1", 'N', false), ("e2@1", 'P', false), ("g2@1", 'P', false)]);
    check(&start, "f3@2", &[]);
    let game = Game::new(Variant::Fourfold);
    assert_eq!(game.attackers("", "f3@2"), Ok(None));
    assert!(game.attackers("a1@00a4@00", "a1@00").is_err());
    // After a move, before the other side answers it.
    let after = game.attackers("d1@00d1@11", "d1@11").unwrap().unwrap();
    assert_eq!(after.len(), 1, "{after:?}");
}
