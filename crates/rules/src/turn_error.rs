//! Why a turn was refused, so precisely that a newcomer needs no other text.

use std::fmt;

use thiserror::Error;

use crate::types::{Color, Role};

/// By how much a move would change X, Y, Z and W. Displayed for machines: `X+2 W-1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Changes(pub(crate) [i8; 4]);

impl Changes {
    /// The coordinates that change, with their differences.
    pub(crate) fn iter(self) -> impl Iterator<Item = (char, i8)> {
        ['X', 'Y', 'Z', 'W'].into_iter().zip(self.0).filter(|(_, by)| *by != 0)
    }

    /// How many coordinates change, in words.
    fn count(self) -> &'static str {
        ["none", "one", "two", "three", "four"][self.iter().count()]
    }

    /// `X, Y and W`
    fn names(self) -> String {
        listed(self.iter().map(|(name, _)| name.to_string()).collect())
    }

    /// `X by 2 and W by 1`
    fn distances(self) -> String {
        listed(self.iter().map(|(name, by)| format!("{name} by {}", by.abs())).collect())
    }
}

fn listed(mut words: Vec<String>) -> String {
    match words.pop() {
        Some(last) if !words.is_empty() => format!("{} and {last}", words.join(", ")),
        last => last.unwrap_or_default(),
    }
}

impl fmt::Display for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let changed: Vec<String> = self.iter().map(|(name, by)| format!("{name}{by:+}")).collect();
        f.write_str(&changed.join(" "))
    }
}

/// One table of the refusals: documentation, variant with its arguments, stable code, and English sentence.
macro_rules! turn_errors {
    ($(
        $(#[$meta:meta])*
        $variant:ident $({ $($(#[$field_meta:meta])* $field:ident: $type:ty,)+ })? $code:literal $sentence:tt
    )+) => {
        /// Why a turn was refused. Squares are written as people are shown them.
        #[derive(Clone, Debug, PartialEq, Eq, Error)]
        pub enum TurnError {
            $($(#[$meta])* #[error $sentence] $variant $({ $($(#[$field_meta])* $field: $type,)+ })?,)+
        }

        impl TurnError {
            /// Every code there is.
            pub const CODES: &[&str] = &[$($code),+];

            /// A stable name of the reason, by which a client finds its own language's sentence.
            pub fn code(&self) -> &'static str {
                match self { $(Self::$variant { .. } => $code,)+ }
            }

            /// What the sentence mentions, by name.
            pub fn args(&self) -> Vec<(&'static str, String)> {
                match self {
                    $(Self::$variant $({ $($field),+ })? => {
                        vec![$($((stringify!($field), $field.to_string())),+)?]
                    })+
                }
            }
        }
    };
}

turn_errors! {
    /// The text is not a turn of this game, whatever the position. Every other variant is about the position.
    Malformed {
        /// What was read.
        text: String,
        /// A well-formed turn of this game.
        example: &'static str,
    } "malformed" ("“{text}” is not a move; write it like {example}.")

    /// The turn belongs to another game.
    OtherGame "other_game" ("This is a move of another game.")

    /// Nobody moves after the end.
    GameOver "game_over" ("The game is over.")

    /// Nothing stands on the square that is left.
    EmptySquare {
        /// The square.
        square: String,
    } "empty_square" ("There is no piece of yours on {square}.")

    /// An enemy piece stands on the square that is left.
    EnemyPiece {
        /// What stands there.
        role: Role,
        /// The square.
        square: String,
    } "enemy_piece" ("The {role} on {square} is not yours.")

    /// The move ends where it starts.
    SameSquare {
        /// What stands there.
        role: Role,
        /// The square.
        square: String,
    } "same_square" ("The {role} is on {square} already.")

    /// A piece of one's own stands on the square that is reached.
    OwnPiece {
        /// What stands there.
        role: Role,
        /// The square.
        square: String,
    } "own_piece" ("Your own {role} stands on {square}.")

    /// Something stands between.
    Blocked {
        /// What stands in the way.
        role: Role,
        /// Where it stands.
        square: String,
    } "blocked" ("The {role} on {square} is in the way.")

    /// A pawn steps onto nothing but an empty square.
    PawnStepBlocked {
        /// What stands in the way.
        role: Role,
        /// Where it stands.
        square: String,
    } "pawn_step_blocked" ("A pawn steps onto an empty square only, and there is a {role} on {square}.")

    /// A pawn captures aslant, but there is nothing to capture.
    PawnCaptureEmpty {
        /// Where nothing stands.
        square: String,
    } "pawn_capture_empty" ("A pawn moves aslant only to capture, and there is nothing to capture on {square}.")

    /// Fourfold: a pawn goes on by one rank at each move.
    PawnDirection {
        /// Whose pawn.
        color: Color,
        /// Where it becomes a queen, 1 or 4.
        rank: u8,
    } "pawn_direction" ("Each move of a {color} pawn goes one step along Y, towards rank {rank}.")

    /// Fourfold: a pawn changes Y, and one other coordinate when it captures.
    PawnShape {
        /// What the move would change.
        changes: Changes,
    } "pawn_shape" (
        "A pawn steps along Y alone, and captures one step along Y and one along exactly one of X, Z and W; this would change {}.",
        .changes.distances()
    )

    /// Fourfold: a knight changes two coordinates.
    KnightShape {
        /// What the move would change.
        changes: Changes,
    } "knight_shape" (
        "A knight changes one coordinate by two and another by one; this would change {}.",
        .changes.distances()
    )

    /// Fourfold: a rook changes one coordinate.
    RookShape {
        /// What the move would change.
        changes: Changes,
    } "rook_shape" (
        "A rook changes exactly one coordinate; this would change {}: {}.",
        .changes.count(), .changes.names()
    )

    /// Fourfold: a bishop changes two coordinates.
    BishopShape {
        /// What the move would change.
        changes: Changes,
    } "bishop_shape" (
        "A bishop changes exactly two coordinates; this would change {}: {}.",
        .changes.count(), .changes.names()
    )

    /// Fourfold: bishops and queens go equally far along each coordinate.
    UnequalDistances {
        /// The piece's role.
        role: Role,
        /// What the move would change.
        changes: Changes,
    } "unequal_distances" (
        "A {role} goes equally far along each coordinate that it changes; this would change {}.",
        .changes.distances()
    )

    /// Fourfold: a king goes one step.
    KingShape {
        /// What the move would change.
        changes: Changes,
    } "king_shape" (
        "A king goes one step along each coordinate that it changes; this would change {}.",
        .changes.distances()
    )

    /// Fourfold: the king would go where it is attacked.
    KingWouldBeAttacked {
        /// Where it would go.
        square: String,
        /// What attacks it there.
        attacker: Role,
        /// Where the attacker stands.
        from: String,
    } "king_would_be_attacked" ("Your king would be attacked on {square} by the {attacker} on {from}.")

    /// Fourfold: the king is attacked, and would be so still.
    StillInCheck {
        /// What attacks it.
        attacker: Role,
        /// Where the attacker stands.
        from: String,
    } "still_in_check" ("Your king is attacked by the {attacker} on {from}, and still would be.")

    /// Fourfold: without the piece the king would be attacked.
    Pinned {
        /// The piece's role.
        role: Role,
        /// Where it stands.
        square: String,
        /// What would attack the king.
        attacker: Role,
        /// Where the attacker stands.
        from: String,
    } "pinned" ("The {role} on {square} is pinned: your king would be attacked by the {attacker} on {from}.")

    /// Fourfold: a turn is one move.
    SingleMove "single_move" ("A turn is a single move.")

    /// Parallel Worlds: three moves have been made.
    TurnFull "turn_full" ("A turn has at most three moves.")

    /// Parallel Worlds: two moves of White's very first turn have been made.
    FirstTurnFull "first_turn_full" ("White's first turn has at most two moves.")

    /// Parallel Worlds: the piece has moved in this turn.
    MovedAlready {
        /// The piece's role.
        role: Role,
        /// Where it stands now.
        square: String,
    } "moved_already" ("The {role} on {square} has already moved in this turn.")

    /// Parallel Worlds: another move of the turn has ended on that level.
    LevelTaken {
        /// 1 to 3.
        level: u8,
    } "level_taken" ("A move of this turn has already ended on level {level}.")

    /// Parallel Worlds: kings stay on their level.
    KingLevel "king_level" ("A king never leaves its level.")

    /// Parallel Worlds: from level 1 to 3 or back there is no way in one move.
    LevelDistance "level_distance" ("A piece goes up or down by one level only.")

    /// Parallel Worlds: a piece that changes its level keeps file and rank.
    LevelAslant "level_aslant" ("A piece that goes up or down stays on its file and its rank.")

    /// Parallel Worlds: a piece changes its level only to an empty square.
    LevelBlocked {
        /// What stands there.
        role: Role,
        /// The square.
        square: String,
    } "level_blocked" ("A piece goes up or down onto an empty square only, and there is a {role} on {square}.")

    /// Parallel Worlds: nothing is captured on level 2.
    NoCaptureOnLevel2 {
        /// What stands there.
        role: Role,
        /// The square.
        square: String,
    } "no_capture_on_level_2" ("Nothing captures on level 2, and there is a {role} on {square}.")

    /// Parallel Worlds: everything moves like a queen there.
    QueenLineOnLevel2 "queen_line_on_level_2" ("On level 2 everything moves like a queen: along a file, a rank or a diagonal.")

    /// Parallel Worlds: a pawn on level 1 or 3 moves ahead.
    PawnMove {
        /// Whose pawn.
        color: Color,
        /// Where it promotes, 1 or 8.
        rank: u8,
    } "pawn_move" ("A {color} pawn steps straight ahead, towards rank {rank}, and captures one square aslant ahead.")

    /// Parallel Worlds: a pawn on level 1 or 3 makes a double step only from its second rank.
    DoubleStep {
        /// 2 or 7.
        rank: u8,
    } "double_step" ("A pawn steps two squares only from rank {rank}.")

    /// Parallel Worlds: a knight's jump on level 1 or 3.
    KnightMove "knight_move" ("A knight jumps two squares along a file or a rank and one aside.")

    /// Parallel Worlds: a bishop's lines on level 1 or 3.
    BishopMove "bishop_move" ("A bishop moves along a diagonal.")

    /// Parallel Worlds: a rook's lines on level 1 or 3.
    RookMove "rook_move" ("A rook moves along a file or a rank.")

    /// Parallel Worlds: a queen's lines on level 1 or 3.
    QueenMove "queen_move" ("A queen moves along a file, a rank or a diagonal.")

    /// Parallel Worlds: a king's step.
    KingMove "king_move" ("A king goes one square, or castles from its first square.")

    /// Parallel Worlds: king or rook have been away, or the rook is gone.
    CastlingGone {
        /// 1 or 3.
        level: u8,
    } "castling_gone" ("The king on level {level} can no longer castle to this side: it or the rook has moved.")

    /// Parallel Worlds: something stands between king and rook.
    CastlingBlocked {
        /// What stands there.
        role: Role,
        /// Where it stands.
        square: String,
    } "castling_blocked" ("There is a {role} on {square}, and no piece may stand between the king and the rook when they castle.")

    /// Parallel Worlds: the king would stand on, cross or reach an attacked square.
    CastlingAttacked {
        /// The attacked square.
        square: String,
        /// What attacks it.
        attacker: Role,
        /// Where the attacker stands.
        from: String,
    } "castling_attacked" ("A king that castles may not stand on, cross or reach an attacked square, and the {attacker} on {from} attacks {square}.")

    /// Parallel Worlds: it has to be said what the pawn becomes.
    PromotionMissing {
        /// Where it promotes.
        square: String,
    } "promotion_missing" ("Say what the pawn becomes on {square}: q, r, b or n.")

    /// Parallel Worlds: nothing promotes there.
    NoPromotion {
        /// The piece's role.
        role: Role,
        /// Where it goes.
        square: String,
    } "no_promotion" ("The {role} does not promote on {square}.")
}

impl TurnError {
    /// Whether the text could not be read at all, as opposed to a turn that is not legal here.
    pub fn is_malformed(&self) -> bool {
        matches!(self, Self::Malformed { .. })
    }
}
