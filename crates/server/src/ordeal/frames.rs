//! Random and mutated frames against the real decoder, and what comes out of it against the game's real state, with the
//! model beside it, and against the real pools.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use manifold_rules::Color;
use serde_json::{Value, json};
use uuid::Uuid;

use super::model::Kind;
use super::play::{Table, legal, setup};
use super::{Figures, Random};
use crate::config::{Config, GameConfig};
use crate::game::chat::{MAX_CHARS, Text};
use crate::game::clock::Fischer;
use crate::game::question::About;
use crate::game::state::Command;
use crate::ids::{CommandId, PlayerId, SeekId};
use crate::lobby::challenge::SeatChoice;
use crate::lobby::pool::{PoolKey, Pools, Waiting, Window};
use crate::lobby::seek::{
    Board, Change, Ending, OPEN_MS, RatingRange, Seek, Seeks, Viewer, Wanted,
};
use crate::player::{Player, PlayerKind};
use crate::time::Timestamp;
use crate::ws::protocol::client::{Ask, ClientMessage, LobbyAsk, MAX_FRAME, SeekBody};

const BOTH: [Color; 2] = [Color::White, Color::Black];

/// What is put in where it does not belong.
const ODD: [&str; 24] = [
    "",
    "\0",
    "\"",
    "\\",
    "\\u0000",
    "\\ud800",
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "null",
    "true",
    "-1",
    "1e309",
    "0.5",
    "18446744073709551616",
    "9223372036854775807",
    "\u{202e}",
    "😀",
    "{\"a\":",
    "[[[[[[[[[[",
    "\"t\":\"move\",",
];

/// Changes a text in one place, or two.
pub(super) fn mutate(text: &mut Vec<u8>, others: &[&str], random: &mut Random) {
    let at = random.below(text.len() + 1);
    match random.below(8) {
        0 if at < text.len() => text[at] = u8::try_from(random.below(256)).expect("a byte"),
        1 if at < text.len() => text[at] ^= 1 << random.below(8),
        2 if at < text.len() => _ = text.remove(at),
        3 => text.truncate(at),
        4 => {
            let odd = random.pick(&ODD).as_bytes();
            text.splice(at..at, odd.iter().copied());
        }
        5 => {
            let to = at + random.below(text.len() - at + 1);
            let part = text[at..to].to_vec();
            text.splice(at..at, part);
        }
        6 => {
            let other = random.pick(others).as_bytes();
            text.truncate(at);
            text.extend_from_slice(&other[random.below(other.len() + 1)..]);
        }
        _ => {
            let to = at + random.below(text.len() - at + 1);
            let odd = random.pick(&ODD).as_bytes();
            text.splice(at..to, odd.iter().copied());
        }
    }
}

/// A frame that makes sense, most often.
fn sensible(table: &Table, random: &mut Random) -> Value {
    let game = table.state.setup().id;
    let ply = if random.one_in(12) { random.below(60) } else { table.model.plies() };
    let by = *random.pick(&BOTH);
    let other = random.below(40) as u64;
    let number = |kind| table.model.open_offer(kind, by).unwrap_or(other);
    let ids = if random.one_in(6) { 20 } else { 1_000_000 };
    let id = format!("c-{}", random.below(ids));
    let turn = |random: &mut Random| legal(&table.model.game, random).unwrap_or_default();
    match random.below(32) {
        0 => json!({"t": "offer_draw", "id": id, "game": game}),
        1 => json!({"t": "accept_draw", "id": id, "game": game, "offer": number(Kind::Draw)}),
        2 => json!({"t": "decline_draw", "id": id, "game": game, "offer": number(Kind::Draw)}),
        3 if random.one_in(10) => json!({"t": "resign", "id": id, "game": game}),
        4 if random.one_in(4) => json!({"t": "abort", "id": id, "game": game}),
        5 => json!({"t": "legal", "id": id, "game": game, "ply": ply, "turn": turn(random)}),
        6 => {
            let (from, to) =
                (random.pick(&["a1@00", "e2@1", "", "x"]), random.pick(&["a2@00", "e4@1", "h9"]));
            json!({"t": "explain", "id": id, "game": game, "ply": ply, "turn": "", "from": from, "to": to})
        }
        7 => json!({"t": "watch", "id": id, "game": game, "seen": random.below(40)}),
        8 => json!({"t": "watch", "id": id, "game": game}),
        9 => json!({"t": "unwatch", "id": id, "game": game}),
        10 | 11 => {
            let time = random.pick(&["1+1", "3+2", "15+10", "0+0", "999+999", "+", "3"]);
            let variant =
                random.pick(&["fourfold", "fourfold-classic", "parallel-worlds", "chess"]);
            json!({"t": "join_pool", "id": id, "variant": variant, "time": time, "rated": random.one_in(2)})
        }
        12 => {
            let t = random.pick(&["leave_pool", "lobby", "leave_lobby"]);
            json!({"t": t, "id": id})
        }
        13 => json!({"t": "ping", "id": id}),
        14 | 15 => seek(&id, random),
        16 => {
            let t = random.pick(&["cancel_seek", "accept_seek"]);
            json!({"t": t, "id": id, "seek": Uuid::from_u128(random.below(60) as u128)})
        }
        24 => json!({"t": "offer_takeback", "id": id, "game": game}),
        25 => {
            let t = random.pick(&["accept_takeback", "decline_takeback"]);
            json!({"t": t, "id": id, "game": game, "offer": number(Kind::Takeback)})
        }
        26 => {
            let t = random.pick(&["claim_win", "claim_draw", "offer_rematch"]);
            json!({"t": t, "id": id, "game": game})
        }
        27 => {
            let t = random.pick(&["accept_rematch", "decline_rematch"]);
            json!({"t": t, "id": id, "game": game, "offer": number(Kind::Rematch)})
        }
        28 => {
            let text =
                random.pick(&["Good luck!", "", "  ", "\u{1b}[2J", "ж"]).repeat(random.below(600));
            json!({"t": "chat", "id": id, "game": game, "text": text})
        }
        _ => json!({"t": "move", "id": id, "game": game, "ply": ply, "move": turn(random)}),
    }
}

/// A seek, most often one that can be.
fn seek(id: &str, random: &mut Random) -> Value {
    let times = [
        json!({"base_ms": 180_000, "increment_ms": 2_000}),
        json!({"days_per_move": 3}),
        json!({"days_per_move": 3, "base_ms": 1}),
        Value::Null,
    ];
    let time = random.pick(&times);
    let variant = random.pick(&["fourfold", "parallel-worlds", "chess"]);
    let color = random.pick(&["white", "black", "random", "red"]);
    let mut seek = json!({"t": "seek", "id": id, "variant": variant, "color": color, "time": time, "rated": random.one_in(2)});
    if random.one_in(2) {
        let bound = |random: &mut Random| {
            random.pick(&[json!(1200), json!(1500), json!(null), json!(-1), json!(65_536)]).clone()
        };
        seek["rating"] = json!({"min": bound(random), "max": bound(random)});
    }
    seek
}

fn frame(table: &Table, random: &mut Random) -> Vec<u8> {
    if random.one_in(40) {
        return (0..random.below(64))
            .map(|_| u8::try_from(random.below(256)).expect("a byte"))
            .collect();
    }
    let mut text = sensible(table, random).to_string().into_bytes();
    if random.one_in(2) {
        for _ in 0..=random.below(4) {
            mutate(&mut text, &ODD, random);
        }
    }
    text
}

/// Ten people who come and go in the pools and among the seeks, and one who looks on.
struct Lobby {
    pools: Pools,
    seeks: Seeks,
    people: Vec<Player>,
    limits: GameConfig,
    /// What the one who looks was shown last, and has put together of what it was told.
    told: (Board, Vec<SeekId>),
    last_id: u128,
}

impl Lobby {
    fn new() -> Self {
        let player = |n: u128| Player {
            id: PlayerId(Uuid::from_u128(n)),
            name: format!("p{n}"),
            kind: PlayerKind::Account,
        };
        let window = Window { start: 100.0, per_second: 15.0 };
        Self {
            pools: Pools::new(window),
            seeks: Seeks::default(),
            people: (100..110).map(player).collect(),
            limits: Config::load(None, &BTreeMap::new()).expect("the defaults are good").game,
            told: (Board::default(), Vec::new()),
            last_id: 0,
        }
    }

    /// Offers a game, as far as there is room. Somebody leaves now and then.
    fn seek(
        &mut self,
        command: CommandId,
        body: SeekBody,
        now: Timestamp,
        random: &mut Random,
    ) -> bool {
        let SeekBody { variant, color, time, rated, rating } = body;
        let (Ok(variant), Some(color), Ok(time), Some(range)) = (
            variant.parse(),
            SeatChoice::parse(&color),
            time.parse(&self.limits),
            RatingRange::new(rating.min, rating.max),
        ) else {
            return false;
        };
        let owner = random.pick(&self.people).clone();
        if random.one_in(4) {
            self.seeks.leave(owner.id);
        }
        if self.seeks.has_room(owner.id, time, &[]).is_err() {
            self.seeks.sweep(now.plus_ms(random.between(0, 2 * OPEN_MS)), |one| one.id == owner.id);
        }
        if self.seeks.has_room(owner.id, time, &[]).is_ok() {
            self.last_id += 1;
            let id = SeekId(Uuid::from_u128(self.last_id % 60));
            self.seeks.end(id, Ending::Over);
            let wanted = Wanted { variant, color, time, rated, range };
            let expires_at = now.plus_ms(OPEN_MS);
            let seek =
                Seek { id, owner, rating: None, wanted, command, created_at: now, expires_at };
            self.seeks.list(seek, Arc::default());
        }
        true
    }

    /// Whoever hears of the changes alone knows the same as whoever is shown the list.
    fn look(&mut self) {
        let (board, everyone) = (self.seeks.board(), Viewer::default());
        let (old, known) = &mut self.told;
        let list = || board.shown_to(&everyone).map(|seek| seek.id).collect::<Vec<_>>();
        match board.changes_since(old, &everyone) {
            None => *known = list(),
            Some(changes) => {
                for change in changes {
                    match change {
                        Change::Added(seek) => known.push(seek.id),
                        Change::Removed(id) => {
                            let at = known.iter().position(|known| *known == id);
                            known.remove(at.expect("it was told before"));
                        }
                    }
                }
            }
        }
        assert_eq!(*known, list());
        *old = board;
    }

    fn join(
        &mut self,
        variant: &str,
        time: &str,
        rated: bool,
        table: &Table,
        random: &mut Random,
    ) -> bool {
        let (Ok(variant), Some(time)) = (variant.parse(), Fischer::from_pool_name(time)) else {
            return false;
        };
        let (player, rating) =
            (random.pick(&self.people).clone(), random.between(400, 2800) as f64);
        let (id, key) = (player.id, PoolKey { variant, time, rated });
        self.pools.join(key, Waiting { player, rating, since: table.now, blocked: Arc::default() });
        assert_eq!(self.pools.waiting(id), Some(key));
        let mut seen = HashSet::new();
        for (key, a, b) in self.pools.pair(table.now.plus_ms(random.between(0, 60_000)), usize::MAX)
        {
            assert!(
                a.player.id != b.player.id && seen.insert(a.player.id) && seen.insert(b.player.id),
                "{key:?}"
            );
            assert_eq!(
                (self.pools.waiting(a.player.id), self.pools.waiting(b.player.id)),
                (None, None)
            );
        }
        true
    }

    fn leave(&mut self, random: &mut Random) {
        let id = random.pick(&self.people).id;
        let waited = self.pools.waiting(id);
        assert_eq!(self.pools.leave(id), waited);
        assert_eq!(self.pools.waiting(id), None);
    }
}

#[test]
fn no_frame_breaks_the_decoder_the_game_or_the_pools() {
    let mut figures = Figures::new("frames", 20_000);
    let mut seed = 1_000_000;
    let mut lobby = Lobby::new();
    while figures.goes_on() {
        seed += 1;
        let mut random = Random::new(seed);
        let mut table = Table::new(setup(&mut random));
        let mut after_end = 0;
        for _ in 0..400 {
            table.pass_time(&mut random);
            let text = frame(&table, &mut random);
            let what = match std::str::from_utf8(&text) {
                // The socket refuses these frames itself.
                Err(_) => "no text",
                Ok(text) if text.len() > MAX_FRAME => "too large",
                Ok(text) => match ClientMessage::read(text) {
                    Err(why) => {
                        assert!((10..200).contains(&why.len()), "{text}: {why}");
                        "bad message"
                    }
                    Ok(message) => obey(message, &mut table, &mut lobby, &mut random),
                },
            };
            table.compare(&mut random);
            figures.step(what);
            after_end += u32::from(table.model.end.is_some());
            if after_end > 8 {
                break;
            }
        }
        table.tell_again();
    }
    figures.tell();
    let often = ["bad message", "moved", "said", "question answered", "waits in a pool"];
    for what in often.into_iter().chain(["seeks", "looked at the seeks", "seek accepted"]) {
        assert!(figures.count(what) > 0, "{what} never came about");
    }
}

/// What the socket would do with it, as far as that is pure.
fn obey(
    message: ClientMessage,
    table: &mut Table,
    lobby: &mut Lobby,
    random: &mut Random,
) -> &'static str {
    let ClientMessage { id, ask } = message;
    let own = table.state.setup().id;
    match ask {
        Ask::Command { game, .. } | Ask::Question { game, .. } | Ask::Watch { game, .. }
            if game != own =>
        {
            "no such game"
        }
        Ask::Command { action, .. } => {
            let to_move = table.model.to_move();
            let by = if random.one_in(4) { to_move.other() } else { to_move };
            let lag_ms = random.between(-5, 3_000);
            let opponent_is_away = random.one_in(2);
            table.command(&Command { by, id, action, lag_ms, opponent_is_away })
        }
        Ask::Question { question, .. } => {
            let is_good = match &question.about {
                About::Next => table.state.under_way(&question).is_ok(),
                About::Move { from, to } => table.state.explain(&question, from, to).is_ok(),
            };
            assert!(!is_good || (question.ply == table.model.plies() && table.model.end.is_none()));
            if is_good { "question answered" } else { "question refused" }
        }
        Ask::Chat { text, .. } => match Text::parse(&text) {
            Some(text) => {
                assert!((1..=MAX_CHARS).contains(&text.as_str().chars().count()), "{text:?}");
                "said"
            }
            None => "not to be said",
        },
        Ask::Watch { .. } | Ask::Unwatch { .. } | Ask::Ping => "nothing changes",
        Ask::Lobby(LobbyAsk::JoinPool { variant, time, rated }) => {
            if lobby.join(&variant, &time, rated, table, random) {
                "waits in a pool"
            } else {
                "no such pool"
            }
        }
        Ask::Lobby(LobbyAsk::LeavePool) => {
            lobby.leave(random);
            "left the pools"
        }
        Ask::Look | Ask::LookAway => {
            lobby.look();
            "looked at the seeks"
        }
        Ask::Lobby(LobbyAsk::Seek(body)) => {
            let is_good = lobby.seek(id, body, table.now, random);
            if is_good { "seeks" } else { "no such seek" }
        }
        Ask::Lobby(LobbyAsk::CancelSeek { seek }) => {
            lobby.seeks.end(seek, Ending::Canceled);
            assert!(lobby.seeks.get(seek).is_none());
            "seek canceled"
        }
        Ask::Lobby(LobbyAsk::AcceptSeek { seek }) => {
            let player = random.pick(&lobby.people);
            let rating = random.between(1000, 2000) as f64;
            match lobby.seeks.get(seek).map(|seek| seek.check(player, &HashSet::new(), rating)) {
                Some(Ok(())) => lobby.seeks.end(seek, Ending::Over),
                Some(Err(_)) | None => return "seek not accepted",
            }
            "seek accepted"
        }
    }
}
