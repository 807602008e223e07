//! People who sit at a game.

use std::sync::OnceLock;

use serde_json::{Value, json};

use crate::{Client, Server, Socket};

/// The quickest mate there is from the full start: White's queen leaves for the outer cube and finds the king boxed in by
/// his own army.
pub const FOURFOLD_MATE: [&str; 3] = ["d1@00c2@01", "b3@01b2@01", "c2@01b3@00"];

/// And from the classic start.
pub const CLASSIC_MATE: [&str; 3] = ["d1@00c2@01", "b4@11c4@00", "c2@01c3@01"];

/// The other game knows no mate: Black opens the diagonal to his king on level 1 and then looks elsewhere.
pub const PARALLEL_CAPTURE: [&str; 5] = [
    "e2@1e4@1,g1@3f3@3",
    "f7@1f6@1,g8@3f6@3,d7@1d7@2",
    "d1@1h5@1,b1@3c3@3,g1@1g1@2",
    "a7@1a6@1,b8@3c6@3",
    "h5@1e8@1",
];

/// How a game can be won in the fewest moves: White's and Black's in turn, and what that is called. The records end with
/// `#`.
pub struct QuickWin {
    /// In which game.
    pub variant: &'static str,
    /// White makes the first and the last.
    pub turns: &'static [&'static str],
    /// How it ends.
    pub termination: &'static str,
}

/// One for each game that there is.
pub const QUICK_WINS: [QuickWin; 3] = [
    QuickWin { variant: "fourfold", turns: &FOURFOLD_MATE, termination: "checkmate" },
    QuickWin { variant: "fourfold-classic", turns: &CLASSIC_MATE, termination: "checkmate" },
    QuickWin { variant: "parallel-worlds", turns: &PARALLEL_CAPTURE, termination: "king_captured" },
];

/// 400 moves from the full start in which nothing ends; no capture and no check among the first eighty. Nobody played
/// them: they were drawn at random from the legal ones.
pub fn long_game() -> &'static [&'static str] {
    static TURNS: OnceLock<Vec<&str>> = OnceLock::new();
    TURNS.get_or_init(|| include_str!("../data/long-game.txt").split_whitespace().collect())
}

/// Someone with a tab open.
pub struct Player {
    /// What others see.
    pub name: String,
    /// For REST.
    pub client: Client,
    /// Their tab; it watches the game.
    pub socket: Socket,
}

/// Two players and their game, which both watch.
pub struct Table {
    /// Its id.
    pub game: String,
    /// Moves first.
    pub white: Player,
    /// Moves second.
    pub black: Player,
}

impl Player {
    /// Someone with an account.
    pub async fn account(server: &Server, name: &str) -> Player {
        let client = server.client();
        client.sign_up(name).await;
        Player { name: name.to_owned(), socket: client.socket().await, client }
    }

    /// Someone who just came by.
    pub async fn guest(server: &Server) -> Player {
        let client = server.client();
        let name = client.be_guest().await;
        Player { name, socket: client.socket().await, client }
    }

    /// Waits in a pool.
    pub async fn join(&mut self, variant: &str, time: &str, rated: bool) {
        self.socket
            .done(json!({"t": "join_pool", "variant": variant, "time": time, "rated": rated}))
            .await;
    }
}

impl Table {
    /// Two account holders, paired for a rated game of 3+2.
    pub async fn rated(server: &Server, variant: &str) -> Table {
        let ada = Player::account(server, "ada").await;
        let bob = Player::account(server, "bob").await;
        Table::by_pool(ada, bob, variant, "3+2", true).await
    }

    /// Two guests, paired for a casual game of 3+2 with the full army.
    pub async fn casual(server: &Server) -> Table {
        let (one, other) = (Player::guest(server).await, Player::guest(server).await);
        Table::by_pool(one, other, "fourfold", "3+2", false).await
    }

    /// A move each, and White gives up: the shortest game that counts.
    ///
    /// # Panics
    /// If anything of it is refused.
    pub async fn play_and_resign(&mut self) {
        self.play_on(0, 2).await;
        self.white.socket.done(json!({"t": "resign", "game": self.game})).await;
        self.ended("black", "resignation").await;
    }

    /// Both wait in the same pool until they are paired.
    ///
    /// # Panics
    /// If they are not, or not with each other.
    pub async fn by_pool(
        mut one: Player,
        mut other: Player,
        variant: &str,
        time: &str,
        rated: bool,
    ) -> Table {
        one.join(variant, time, rated).await;
        other.join(variant, time, rated).await;
        let (mine, theirs) = (one.socket.wait("paired").await, other.socket.wait("paired").await);
        assert_eq!(mine["game"], theirs["game"]);
        let (white, black) = match (mine["color"].as_str(), theirs["color"].as_str()) {
            (Some("white"), Some("black")) => (one, other),
            (Some("black"), Some("white")) => (other, one),
            colors => panic!("{colors:?}"),
        };
        Table::sit(mine["game"].as_str().expect("a game has an id"), white, black).await
    }

    /// Guests with a clock of their own choice, or none: `white` makes a challenge, `black` accepts it.
    ///
    /// # Panics
    /// If that is refused.
    pub async fn by_challenge(server: &Server, variant: &str, time: Option<(u64, u64)>) -> Table {
        let (white, black) = (Player::guest(server).await, Player::guest(server).await);
        let id = white.client.challenge(variant, "white", time).await;
        let accepted =
            black.client.post(&format!("/api/v1/challenges/{id}/accept"), json!({})).await;
        let accepted = accepted.expect(reqwest::StatusCode::OK);
        assert_eq!(accepted["color"], "black");
        Table::sit(accepted["game"].as_str().expect("a game has an id"), white, black).await
    }

    /// Two whose game has been made watch it.
    ///
    /// # Panics
    /// If they have not these seats.
    pub async fn sit(game: &str, mut white: Player, mut black: Player) -> Table {
        assert_eq!(white.socket.watch(game).await["you"], "white");
        assert_eq!(black.socket.watch(game).await["you"], "black");
        Table { game: game.to_owned(), white, black }
    }

    /// Who plays this ply.
    pub fn mover(&mut self, ply: usize) -> &mut Player {
        if ply.is_multiple_of(2) { &mut self.white } else { &mut self.black }
    }

    /// Plays these moves from `ply` on; both players have seen all of them afterwards.
    pub async fn play(&mut self, ply: usize, turns: &[&str]) {
        for (index, turn) in turns.iter().enumerate() {
            let game = self.game.clone();
            let ack = self.mover(ply + index).socket.play(&game, ply + index, turn).await;
            let seq = ack["seq"].as_u64().expect("an event has a number");
            for player in [&mut self.white, &mut self.black] {
                let event = player.socket.numbered(&game, seq).await;
                assert_eq!(
                    (&event["kind"], &event["move"]),
                    (&json!("move"), &json!(turn)),
                    "{event}"
                );
            }
        }
    }

    /// Plays the next `count` moves of the [long game](long_game) from `ply` on.
    pub async fn play_on(&mut self, ply: usize, count: usize) {
        self.play(ply, &long_game()[ply..ply + count]).await;
    }

    /// Both see how it ended; the event.
    ///
    /// # Panics
    /// If they do not see the same.
    pub async fn ended(&mut self, outcome: &str, termination: &str) -> Value {
        let game = &self.game;
        let event = self.white.socket.event(game, "ended").await;
        assert_eq!(event, self.black.socket.event(game, "ended").await);
        assert_eq!(
            (&event["outcome"], &event["termination"]),
            (&json!(outcome), &json!(termination)),
            "{event}"
        );
        event
    }
}
