//! Random games with random times, told to the server's own state and to the model: both must say the same, always.

use manifold_rules::{Color, Game, Termination, Variant};

use super::model::{Kind, Model};
use super::{Figures, Random};
use crate::game::clock::{BySide, Days, Fischer, TimeControl};
use crate::game::event::{Action, Event, Logged};
use crate::game::state::{Command, Decision, GameSetup, GameState, Refusal, Seat};
use crate::ids::{CommandId, GameId, PlayerId};
use crate::player::{Player, PlayerKind};
use crate::time::Timestamp;

const BOTH: [Color; 2] = [Color::White, Color::Black];

/// A game before its first move: any variant, often not from its own start, with any clock.
pub(super) fn setup(random: &mut Random) -> GameSetup {
    let variants = [
        Variant::Fourfold,
        Variant::FourfoldClassic,
        Variant::FourfoldClassic,
        Variant::ParallelWorlds,
    ];
    let variant = *random.pick(&variants);
    let mut game = Game::new(variant);
    if random.one_in(3) {
        for _ in 0..random.below(40) {
            let turn = legal(&game, random).and_then(|turn| game.parse_turn(&turn).ok());
            let Some(turn) = turn else { break };
            let mut next = game.clone();
            next.play(&turn).expect("it is legal");
            if next.end().is_some() {
                break;
            }
            game = next;
        }
    }
    let time = if random.one_in(6) {
        TimeControl::Untimed
    } else if random.one_in(6) {
        TimeControl::Correspondence(Days::new(random.between(1, 14)).expect("so many are fine"))
    } else {
        TimeControl::Fischer(Fischer {
            base_ms: *random.pick(&[1, 700, 5_000, 60_000, 180_000, 10_800_000]),
            increment_ms: *random.pick(&[0, 0, 1, 999, 2000, 30_000]),
        })
    };
    let seat = |name: &str| {
        let name = name.to_owned();
        let player = Player { id: PlayerId::new(), name, kind: PlayerKind::Account };
        Seat { player, rating: None }
    };
    GameSetup {
        id: GameId::new(),
        variant,
        rated: random.one_in(2) && time.is_limited(),
        time,
        first_move_ms: *random.pick(&[1, 5_000, 20_000]),
        start_fen: game.fen(),
        seats: BySide { white: seat("ada"), black: seat("bob") },
        created_at: Timestamp::from_micros(1_800_000_000_000_000 + random.between(0, 999_999)),
        series: None,
    }
}

/// A legal turn, if there is one: of one move, or of as many as chance will have.
pub(super) fn legal(game: &Game, random: &mut Random) -> Option<String> {
    let first = game.legal_first_moves();
    let mut turn = (!first.is_empty()).then(|| random.pick(&first).to_string())?;
    while game.variant() == Variant::ParallelWorlds && random.one_in(3) {
        let next = game.under_way(&turn).ok()?.legal;
        if next.is_empty() {
            break;
        }
        turn = format!("{turn},{}", random.pick(&next));
    }
    // A turn has one order; in another it is not legal as it stands.
    Some(game.parse_turn(&turn).ok()?.to_string())
}

/// What may be tried, sensible or not.
fn command(model: &Model, random: &mut Random) -> Command {
    if random.one_in(15)
        && let Some(again) = model.answered_before(random)
    {
        return again;
    }
    let by = if random.one_in(5) { *random.pick(&BOTH) } else { model.to_move() };
    // A few ids only: some come again, with the same content or another.
    let number = if random.one_in(8) { random.below(20) } else { 1000 + random.below(1_000_000) };
    let chance = random.below(4);
    let number_of = |kind| match chance {
        0 => number as u64 % 30,
        _ => model.open_offer(kind, by.other()).or(model.open_offer(kind, by)).unwrap_or(1),
    };
    let action = match random.below(28) {
        _ if model.end.is_some() && random.one_in(2) => match random.below(4) {
            0 | 1 => Action::OfferRematch,
            2 => Action::AcceptRematch { offer: number_of(Kind::Rematch) },
            _ => Action::DeclineRematch { offer: number_of(Kind::Rematch) },
        },
        0 | 1 => Action::OfferDraw,
        2 => Action::AcceptDraw { offer: number_of(Kind::Draw) },
        3 => Action::DeclineDraw { offer: number_of(Kind::Draw) },
        20 | 21 => Action::OfferTakeback,
        22 | 23 => Action::AcceptTakeback { offer: number_of(Kind::Takeback) },
        24 => Action::DeclineTakeback { offer: number_of(Kind::Takeback) },
        25 => Action::OfferRematch,
        26 => Action::ClaimWin,
        27 => Action::ClaimDraw,
        4 if random.one_in(12) => Action::Resign,
        5 if random.one_in(3) => Action::Abort,
        _ => {
            let ply = if random.one_in(15) { random.below(50) } else { model.plies() };
            let turn = match random.below(12) {
                0 => "a1@00a1@01".to_owned(),
                1 => String::new(),
                2 => "e2@1e4@1, g1@3f3@3".to_owned(),
                _ => legal(&model.game, random).unwrap_or_default(),
            };
            Action::Move { ply, turn }
        }
    };
    let lag_ms = if random.one_in(3) { random.between(-5, 5_000) } else { random.between(0, 100) };
    let opponent_is_away = random.one_in(3);
    Command { by, id: CommandId::numbered("c", number), action, lag_ms, opponent_is_away }
}

/// Some time passes: nothing, microseconds, a thought, an age; or until the very moment at which a flag falls.
fn later(now: Timestamp, model: &Model, random: &mut Random) -> Timestamp {
    let micros = match random.below(12) {
        0 | 1 => 0,
        2 => random.between(1, 999),
        3..=6 => random.between(1, 900_000),
        7..=9 => random.between(1_000, 9_000_000),
        10 if random.one_in(12) => random.between(0, 400_000_000),
        10 => 0,
        _ => match model.deadline().filter(|_| random.one_in(6)) {
            Some(deadline) => {
                let around = *random.pick(&[-1_000, -1, 0, 1, 1_000]);
                (deadline.as_micros() + around - now.as_micros()).max(0)
            }
            None => 0,
        },
    };
    Timestamp::from_micros(now.as_micros() + micros)
}

/// The same answer, but for the words in which an illegal move is explained.
fn is_same(said: &Result<Decision, Refusal>, expected: &Result<Decision, Refusal>) -> bool {
    match (said, expected) {
        (Err(Refusal::IllegalMove(_)), Err(Refusal::IllegalMove(_)))
        | (Err(Refusal::NoClaim(_)), Err(Refusal::NoClaim(_))) => true,
        (said, expected) => said == expected,
    }
}

fn name_of(said: &Result<Decision, Refusal>) -> &'static str {
    match said {
        Ok(Decision::Already(_)) => "known already",
        Ok(Decision::Events(events)) => match &events[0] {
            Event::Move { .. } if events.len() > 1 => "moved, and ended the game",
            Event::Move { .. } => "moved",
            Event::DrawOffered { .. } => "offered a draw",
            Event::DrawDeclined { .. } => "declined a draw",
            Event::TakebackOffered { .. } => "asked to take back",
            Event::TakebackDeclined { .. } => "took nothing back",
            Event::TakenBack { .. } => "took back",
            Event::Resumed { .. } => "resumed",
            Event::Ended { termination: Termination::Abandonment, .. } => "claimed",
            Event::Ended { .. } => "ended",
            Event::RematchOffered { .. } => "offered a rematch",
            Event::RematchDeclined { .. } => "declined a rematch",
            Event::Rematched { .. } => "rematched",
        },
        Ok(Decision::Rematch(_)) => "rematched",
        Err(Refusal::NotYourTurn) => "refused: not your turn",
        Err(Refusal::StalePly { .. }) => "refused: stale ply",
        Err(Refusal::IllegalMove(_)) => "refused: illegal move",
        Err(Refusal::IdReused) => "refused: id reused",
        Err(Refusal::GameOver) => "refused: game over",
        Err(Refusal::TooLate) => "refused: too late",
        Err(Refusal::NoSuchOffer) => "refused: no such offer",
        Err(Refusal::OfferOpen) => "refused: offer open",
        Err(Refusal::OfferTooSoon) => "refused: offer too soon",
        Err(Refusal::CannotAbort) => "refused: cannot abort",
        Err(Refusal::CannotResign) => "refused: cannot resign",
        Err(Refusal::CasualOnly) => "refused: casual only",
        Err(Refusal::NothingToTakeBack) => "refused: nothing to take back",
        Err(Refusal::TooManyTakebacks) => "refused: too many takebacks",
        Err(Refusal::NoClaim(_)) => "refused: no claim",
        Err(Refusal::GameUnderWay) => "refused: game under way",
        Err(Refusal::RematchBegun) => "refused: rematch begun",
    }
}

/// A game, the model beside it, and the time.
pub(super) struct Table {
    pub(super) state: GameState,
    pub(super) model: Model,
    pub(super) now: Timestamp,
}

impl Table {
    pub(super) fn new(setup: GameSetup) -> Self {
        let (model, now) = (Model::new(&setup), setup.created_at);
        Self { state: GameState::new(setup).expect("a good start"), model, now }
    }

    pub(super) fn pass_time(&mut self, random: &mut Random) {
        self.now = later(self.now, &self.model, random);
    }

    /// Both are told a command, and must answer the same.
    pub(super) fn command(&mut self, command: &Command) -> &'static str {
        let said = self.state.decide(self.now, command);
        let expected = self.model.expect(self.now, command);
        assert!(is_same(&said, &expected), "{command:?}: {said:?}, not {expected:?}");
        match &said {
            Ok(Decision::Events(events)) => self.take(events),
            Ok(Decision::Rematch(agreement)) => self.take(&agreement.clone().events(GameId::new())),
            Ok(Decision::Already(_)) | Err(_) => {}
        }
        name_of(&said)
    }

    /// Both are asked what time has done.
    fn tick(&mut self, lag_ms: i64) -> &'static str {
        let event = self.state.tick(self.now, lag_ms);
        assert_eq!(event, self.model.expect_tick(self.now, lag_ms));
        event.map_or("no flag", |event| {
            self.take(&[event]);
            "flagged"
        })
    }

    /// The server is back, having been away since a moment.
    fn resume(&mut self, away_since: Timestamp) -> &'static str {
        let event = self.state.resumption(away_since);
        let elapsed = self.model.expect_resumption(away_since);
        assert_eq!(event, elapsed.map(|elapsed_ms| Event::Resumed { elapsed_ms }));
        event.map_or("nothing to resume", |event| {
            self.take(&[event]);
            "resumed"
        })
    }

    fn take(&mut self, events: &[Event]) {
        for event in events {
            let logged = Logged { seq: self.state.seq() + 1, at: self.now, event: event.clone() };
            let text = serde_json::to_string(&logged.event).expect("it can be written");
            let read: Event = serde_json::from_str(&text).expect("it can be read");
            assert_eq!(read, logged.event, "the journal keeps what it is told");
            self.state.apply(logged).expect("what was decided applies");
            self.model.note(self.now, event);
        }
    }

    /// Everything that can be seen of both.
    pub(super) fn compare(&self, random: &mut Random) {
        let (state, model) = (&self.state, &self.model);
        assert_eq!(state.seq(), model.seq);
        assert_eq!(state.moves().len(), model.plies());
        assert_eq!(state.game().side_to_move(), model.to_move(), "one side is to move");
        assert_eq!(state.end(), model.end.map(|(end, _)| end));
        assert_eq!(state.deadline(), model.deadline());
        assert_eq!(state.game().fen(), model.game.fen());
        for side in BOTH {
            for (shown, kind) in [
                (state.draw_offer(), Kind::Draw),
                (state.takeback_offer(), Kind::Takeback),
                (state.rematch_offer(), Kind::Rematch),
            ] {
                let open = model.open_offer(kind, side);
                assert!(open.is_none() || shown == open.map(|offer| (side, offer)), "{kind:?}");
            }
        }
        let then = self.now.plus_ms(random.between(0, 5_000));
        let shown = state.clock(then);
        for side in BOTH {
            assert_eq!(
                shown.map(|clock| *clock.remaining_ms.get(side)),
                model.shown_ms(side, then)
            );
        }
        if let Some(running) = shown.and_then(|clock| clock.running) {
            assert_eq!((running, model.end.is_none()), (model.to_move(), true));
        }
        assert!(state.log().iter().zip(1..).all(|(logged, seq)| logged.seq == seq), "no gap");
    }

    /// The same game told again from its journal is the same game.
    pub(super) fn tell_again(&self) {
        let told = GameState::replay(self.state.setup().clone(), self.state.log().to_vec(), None);
        let told = told.expect("its journal can be read");
        let state = &self.state;
        assert_eq!(told.seq(), state.seq());
        assert_eq!(told.moves(), state.moves());
        assert_eq!(told.game().fen(), state.game().fen());
        assert_eq!((told.end(), told.ended_at()), (state.end(), state.ended_at()));
        assert_eq!((told.draw_offer(), told.deadline()), (state.draw_offer(), state.deadline()));
        assert_eq!(told.takeback_offer(), state.takeback_offer());
        assert_eq!(
            (told.rematch_offer(), told.rematch()),
            (state.rematch_offer(), state.rematch())
        );
        assert_eq!(told.flag_at(60_000), state.flag_at(60_000));
        assert_eq!(told.clock(self.now), state.clock(self.now));
    }
}

#[test]
fn the_game_s_state_and_the_model_say_the_same() {
    let mut figures = Figures::new("random play against the model", 20_000);
    let mut seed = 0;
    while figures.goes_on() {
        seed += 1;
        let mut random = Random::new(seed);
        let mut table = Table::new(setup(&mut random));
        let mut after_end = 0;
        for _ in 0..300 {
            table.pass_time(&mut random);
            let what = match random.below(25) {
                0 => table.tick(random.between(0, 3_000)),
                1 if random.one_in(4) => {
                    table.resume(table.now.plus_ms(-random.between(0, 60_000)))
                }
                _ => {
                    let command = command(&table.model, &mut random);
                    table.command(&command)
                }
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
    for what in [
        "moved",
        "flagged",
        "resumed",
        "offered a draw",
        "took back",
        "claimed",
        "rematched",
        "refused: offer too soon",
        "known already",
    ] {
        assert!(figures.count(what) > 0, "{what} never came about");
    }
}
