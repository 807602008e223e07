//! The lobby's task with a database of its own.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::pin::Pin;
use std::time::Duration;

use futures_util::FutureExt as _;
use manifold_engine::Level;
use manifold_glicko2::Config as Glicko2;
use manifold_rules::Variant;
use tokio::sync::oneshot;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::actor;
use super::challenge::{Challenge, SeatChoice};
use super::handle::{Lobby, LobbyNotice, LobbyRefusal, Message};
use super::pool::{PoolKey, Window};
use super::seating::Seating;
use crate::blocks::Blocks;
use crate::computer::Computer;
use crate::computer::thinkers::Thinkers;
use crate::config::Config;
use crate::game::clock::{Days, Fischer, TimeControl};
use crate::game::registry::{CannotBegin, Registry};
use crate::ids::{ChallengeId, CommandId, PlayerId, SessionId};
use crate::outbox::{ConnId, Inbox, Outbox};
use crate::player::{AccountName, Player, PlayerKind};
use crate::session::{NewSession, SessionKind, Shown};
use crate::store::journal::Journal;
use crate::store::tests::hold_writers;
use crate::store::{Store, StoreConfig};
use crate::time::Clock;

const FISCHER: Fischer = Fischer { base_ms: 180_000, increment_ms: 2000 };
const BLITZ: TimeControl = TimeControl::Fischer(FISCHER);
pub(super) const WINDOW: Window = Window { start: 100.0, per_second: 10.0 };
pub(super) const POOL: PoolKey =
    PoolKey { variant: Variant::Fourfold, time: FISCHER, rated: false };

/// All that a lobby needs, in a folder that is gone with it.
pub(super) struct House {
    folder: PathBuf,
    pub(super) store: Store,
    pub(super) registry: Registry,
    lobby: Lobby,
    clock: Clock,
    glicko2: Glicko2,
    /// The lobby's task, until it runs.
    task: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
}

impl House {
    pub(super) async fn new() -> Self {
        Self::patient_for(Duration::from_secs(20)).await
    }

    /// Whose database is given up after so long.
    async fn patient_for(timeout: Duration) -> Self {
        let folder = std::env::temp_dir().join(format!("manifold-lobby-{}", Uuid::new_v4()));
        let url = format!("sqlite:{}", folder.join("test.db").display());
        let store = StoreConfig { url, max_connections: 4, timeout, tenant: None };
        let store = Store::open(&store).await.expect("the database opens");
        let config = Config::load(None, &BTreeMap::new()).expect("the defaults are good");
        let (clock, glicko2) = (Clock::system(), config.rating.glicko2().expect("good"));
        store.seed_computers(clock.now()).await.expect("stored");
        let (journal, writing) = Journal::new(store.clone(), glicko2);
        tokio::spawn(writing);
        let (thinkers, _) = Thinkers::start(0, 0).expect("no threads");
        let computer = Computer::new(thinkers, clock, config.computer.clone());
        let registry =
            Registry::new(store.clone(), journal, clock, config.game.clone(), glicko2, computer);
        let blocks = Blocks::new(store.clone());
        let seating = Seating { store: store.clone(), registry: registry.clone(), glicko2, blocks };
        let (lobby, task) = actor::new(seating, WINDOW).await.expect("the database is there");
        Self { folder, store, registry, lobby, clock, glicko2, task: Some(Box::pin(task)) }
    }

    /// What another lobby needs here.
    pub(super) fn seating(&self) -> Seating {
        let (store, registry) = (self.store.clone(), self.registry.clone());
        Seating { blocks: Blocks::new(store.clone()), store, registry, glicko2: self.glicko2 }
    }

    fn open(&mut self) {
        tokio::spawn(self.task.take().expect("it opens once"));
    }

    fn session(&self, number: u8) -> NewSession {
        NewSession {
            id: SessionId::new(),
            shown: Shown { kind: SessionKind::Browser, token: [number; 32] },
            name: "Unknown".to_owned(),
            begins_at: self.clock.now(),
            expires_at: self.clock.now().plus_ms(60_000),
        }
    }

    pub(super) async fn guest(&self, number: u8) -> Player {
        let session = self.session(number);
        let name = format!("Guest {number:06}");
        self.store.create_guest(PlayerId::new(), &name, &session).await.expect("stored")
    }

    /// A challenge by link.
    pub(super) async fn challenge(&self, creator: &Player) -> ChallengeId {
        let challenge = Challenge::by_link(creator, self.clock.now());
        self.store.create_challenge(&challenge).await.expect("stored");
        challenge.id
    }

    fn join(&self, player: &Player, outbox: &Outbox<LobbyNotice>) -> impl Future<Output = ()> {
        let (lobby, player, outbox) = (self.lobby.clone(), player.clone(), outbox.clone());
        async move { lobby.join(command("join"), player, POOL, outbox).await }
    }

    pub(super) async fn drop_it(self) {
        self.registry.stop().await;
        self.store.close().await;
        std::fs::remove_dir_all(self.folder).expect("the folder is there");
    }
}

pub(super) fn command(id: &str) -> CommandId {
    CommandId::try_from(id.to_owned()).expect("a good id")
}

pub(super) fn tab(number: u64) -> (Outbox<LobbyNotice>, Inbox<LobbyNotice>) {
    Outbox::new(ConnId(number), CancellationToken::new())
}

/// The first notice of a kind that a tab is told, whatever else it is.
pub(super) async fn told<T>(
    tab: &mut Inbox<LobbyNotice>,
    kind: impl Fn(&LobbyNotice) -> Option<T>,
) -> T {
    loop {
        let notice = tab.recv().await.expect("it is told something");
        if let Some(found) = kind(&notice) {
            return found;
        }
    }
}

/// What became of a command.
pub(super) fn answered(notice: &LobbyNotice) -> Option<Result<(), LobbyRefusal>> {
    match notice {
        LobbyNotice::Ack { .. } => Some(Ok(())),
        LobbyNotice::Refused { why, .. } => Some(Err(why.clone())),
        LobbyNotice::Pool { .. }
        | LobbyNotice::Paired { .. }
        | LobbyNotice::Challenged(_)
        | LobbyNotice::Challenge { .. } => None,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_has_a_game_being_made_begins_no_other_with_a_clock() {
    let mut house = House::new().await;
    house.open();
    let (ada, bob, cleo) = (house.guest(1).await, house.guest(2).await, house.guest(3).await);
    let (adas, bobs) = (house.challenge(&ada).await, house.challenge(&bob).await);
    let lobby = &house.lobby;
    // As a rematch has it while it is committed.
    let Ok(beginning) = house.registry.begin_for(BLITZ, [&ada, &cleo]).await else {
        panic!("both are free");
    };
    let computer = async || {
        let (level, variant) = (Level::ALL[0], Variant::Fourfold);
        lobby.play_computer(ada.clone(), level, variant, SeatChoice::White, BLITZ, None).await
    };
    let refused = computer().await;
    assert!(matches!(refused, Err(LobbyRefusal::AlreadyPlaying(None))), "{refused:?}");
    let refused = lobby.accept(bobs, ada.clone()).await;
    assert!(matches!(refused, Err(LobbyRefusal::AlreadyPlaying(None))), "{refused:?}");
    let refused = lobby.accept(adas, bob.clone()).await;
    assert!(matches!(refused, Err(LobbyRefusal::OpponentPlaying)), "{refused:?}");
    let (outbox, mut hears) = tab(0);
    house.join(&ada, &outbox).await;
    let refused = told(&mut hears, answered).await;
    assert!(matches!(refused, Err(LobbyRefusal::AlreadyPlaying(None))), "{refused:?}");
    // Nothing came of it.
    drop(beginning);
    let seated = lobby.accept(bobs, ada.clone()).await.expect("free again");
    let refused = computer().await;
    assert!(
        matches!(refused, Err(LobbyRefusal::AlreadyPlaying(Some(game))) if game == seated.game),
        "{refused:?}"
    );
    house.drop_it().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn games_against_computers_that_are_being_made_count_as_well() {
    let mut house = House::new().await;
    house.open();
    let (ada, computer) = (house.guest(1).await, Player::computer(Level::ALL[0]));
    let mut being_made = Vec::new();
    let games = loop {
        match house.registry.begin_for(TimeControl::Untimed, [&computer, &ada]).await {
            Ok(beginning) => being_made.push(beginning),
            Err(CannotBegin::TooManyGames(games)) => break games,
            Err(_) => panic!("only their number is in the way"),
        }
        assert!(being_made.len() < 1000, "there is a bound");
    };
    assert_eq!(being_made.len() as i64, games);
    let variant = Variant::Fourfold;
    let time = TimeControl::Untimed;
    let refused = house
        .lobby
        .play_computer(ada.clone(), Level::ALL[0], variant, SeatChoice::White, time, None)
        .await;
    assert!(matches!(refused, Err(LobbyRefusal::TooManyGames(_))), "{refused:?}");
    being_made.pop();
    house
        .lobby
        .play_computer(ada, Level::ALL[0], variant, SeatChoice::White, time, None)
        .await
        .expect("one place is free");
    drop(being_made);
    house.drop_it().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_was_given_up_is_not_carried_out_later() {
    let mut house = House::new().await;
    let (ada, bob, cleo) = (house.guest(1).await, house.guest(2).await, house.guest(3).await);
    let (first, second) = (house.challenge(&ada).await, house.challenge(&ada).await);
    let lobby = house.lobby.clone();
    let play = || {
        let (level, variant) = (Level::ALL[0], Variant::Fourfold);
        lobby.play_computer(cleo.clone(), level, variant, SeatChoice::White, BLITZ, None)
    };
    // Each is in the lobby's mailbox before it is given up.
    assert!(play().now_or_never().is_none());
    assert!(lobby.accept(first, bob.clone()).now_or_never().is_none());
    assert!(lobby.cancel(second, ada.clone()).now_or_never().is_none());
    house.open();
    lobby.signed_up(ada).await;
    // Comes after them.
    let seated = lobby.accept(second, bob).await.expect("still open, and nobody plays");
    assert!(house.registry.find(seated.game).is_some());
    assert_eq!(house.registry.live_count(), 1);
    house.drop_it().await;
}

/// What nobody waits for any more, the socket's commands too.
#[tokio::test(flavor = "multi_thread")]
async fn a_command_whose_tab_is_gone_is_not_carried_out() {
    let mut house = House::new().await;
    let (ada, bob) = (house.guest(1).await, house.guest(2).await);
    let (gone, inbox) = tab(1);
    house.join(&ada, &gone).await;
    let (outbox, mut hears) = tab(2);
    house.join(&bob, &outbox).await;
    let (outbox_of_ada, _hears) = tab(3);
    house.lobby.connect(ada.id, outbox_of_ada).await;
    drop(inbox);
    house.open();
    told(&mut hears, answered).await.expect("bob waits");
    house.lobby.leave(command("leave"), bob.id, outbox).await;
    told(&mut hears, answered).await.expect("he was not paired with somebody who has left");
    house.drop_it().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_has_waited_for_too_long_is_refused_and_leaving_is_not() {
    let mut house = House::new().await;
    let (ada, bob) = (house.guest(1).await, house.guest(2).await);
    let challenge = house.challenge(&ada).await;
    let (outbox, mut hears) = tab(1);
    let long_ago = Instant::now().checked_sub(Duration::from_secs(41)).expect("a later moment");
    let (done, answer) = oneshot::channel();
    let (player, key) = (ada.clone(), POOL);
    for message in [
        Message::Join { id: command("join"), player, key, outbox: outbox.clone() },
        Message::Leave { id: command("leave"), player: ada.id, outbox },
        Message::Accept { challenge, player: bob.clone(), done },
    ] {
        house.lobby.send_as_of(long_ago, message).await;
    }
    house.open();
    let refused = told(&mut hears, answered).await;
    assert!(matches!(refused, Err(LobbyRefusal::StorageUnavailable)), "{refused:?}");
    let left = told(&mut hears, answered).await;
    assert!(matches!(left, Err(LobbyRefusal::NotWaiting)), "it was done: {left:?}");
    let refused = answer.await.expect("an answer");
    assert!(matches!(refused, Err(LobbyRefusal::StorageUnavailable)), "{refused:?}");
    // What is asked now is done.
    house.lobby.accept(challenge, bob).await.expect("still open");
    house.drop_it().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_retry_of_what_was_not_answered_finds_out_first_what_became_of_it() {
    let mut house = House::patient_for(Duration::from_millis(200)).await;
    house.open();
    let ada = house.guest(1).await;
    let play = || {
        let (level, variant) = (Level::ALL[0], Variant::Fourfold);
        let id = Some(command("once"));
        house.lobby.play_computer(ada.clone(), level, variant, SeatChoice::White, BLITZ, id)
    };
    let held = hold_writers(&house.store).await;
    for _ in 0..2 {
        let refused = play().await;
        assert!(matches!(refused, Err(LobbyRefusal::StorageUnavailable)), "{refused:?}");
    }
    drop(held);
    let seated = play().await.expect("nothing came of the others");
    assert_eq!(play().await.expect("the same").game, seated.game);
    assert_eq!(house.registry.live_count(), 1);
    house.drop_it().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_the_database_is_away_one_pair_learns_it_and_the_others_wait_on() {
    let mut house = House::patient_for(Duration::from_millis(200)).await;
    house.open();
    let (mut players, mut tabs) = (Vec::new(), Vec::new());
    for number in 1..=6 {
        let (outbox, hears) = tab(number.into());
        players.push(house.guest(number).await);
        house.lobby.connect(players[players.len() - 1].id, outbox.clone()).await;
        tabs.push((outbox, hears));
    }
    let held = hold_writers(&house.store).await;
    for (player, (outbox, hears)) in players.iter().zip(&mut tabs) {
        house.join(player, outbox).await;
        told(hears, answered).await.expect("each of them waits");
    }
    let unavailable = |notice: &LobbyNotice| match notice {
        LobbyNotice::Refused { id: None, why: LobbyRefusal::StorageUnavailable } => Some(()),
        _ => None,
    };
    for (_, hears) in &mut tabs[..2] {
        told(hears, unavailable).await;
    }
    drop(held);
    for (_, hears) in &mut tabs[2..] {
        let paired = |notice: &LobbyNotice| match notice {
            LobbyNotice::Paired { game, .. } => Some(Ok(*game)),
            LobbyNotice::Refused { why, .. } => Some(Err(why.clone())),
            _ => None,
        };
        told(hears, paired).await.expect("they have waited on");
    }
    assert_eq!(house.registry.live_count(), 2);
    house.drop_it().await;
}

/// A rematch asks no lobby, and one without a clock keeps nobody from another game.
#[tokio::test(flavor = "multi_thread")]
async fn nobody_becomes_a_bot_while_a_game_of_any_kind_is_being_made() {
    let mut house = House::new().await;
    house.open();
    let name = AccountName::parse("marvin").expect("a good name");
    let session = house.session(1);
    let made = house.store.create_account(PlayerId::new(), &name, "hash", &session, None).await;
    let (marvin, bob) = (made.expect("stored"), house.guest(2).await);
    let days = TimeControl::Correspondence(Days::new(3).expect("three are fine"));
    for time in [BLITZ, days, TimeControl::Untimed] {
        let beginning = house.registry.begin_for(time, [&bob, &marvin]).await;
        let beginning = beginning.ok().expect("both are free");
        let refused = house.lobby.become_bot(marvin.id).await;
        assert!(matches!(refused, Err(LobbyRefusal::AlreadyPlaying(None))), "{refused:?}");
        drop(beginning);
        // Nor does one begin while the database is asked whether the player may.
        let held = house.registry.hold(marvin.id).expect("free again");
        let refused = house.registry.begin_for(time, [&bob, &marvin]).await;
        let is_marvin = |why: &CannotBegin| match why {
            CannotBegin::Busy { player, game: None } => *player == marvin.id,
            _ => false,
        };
        assert!(refused.err().is_some_and(|why| is_marvin(&why)), "{time:?}");
        house.registry.hold(marvin.id).err().expect("one hold at a time");
        drop(held);
        drop(house.registry.begin_for(time, [&bob, &marvin]).await.ok().expect("let go"));
    }
    house.lobby.become_bot(marvin.id).await.expect("nothing forbids it now");
    house.drop_it().await;
}

/// A socket that is still open takes the account for the person who opened it, and asks for what only people may do.
#[tokio::test(flavor = "multi_thread")]
async fn who_becomes_a_bot_leaves_the_pool_and_comes_back_by_no_old_socket() {
    let mut house = House::new().await;
    house.open();
    let name = AccountName::parse("marvin").expect("a good name");
    let session = house.session(1);
    let made = house.store.create_account(PlayerId::new(), &name, "hash", &session, None).await;
    let person = made.expect("stored");
    let (outbox, mut told) = Outbox::new(ConnId(1), CancellationToken::new());
    let (lobby, id) = (&house.lobby, |n| CommandId::try_from(format!("c-{n}")).expect("good"));
    let key = PoolKey { variant: Variant::Fourfold, time: FISCHER, rated: false };
    lobby.connect(person.id, outbox.clone()).await;
    lobby.join(id(1), person.clone(), key, outbox.clone()).await;
    assert!(matches!(told.recv().await.map(|notice| *notice), Some(LobbyNotice::Ack { .. })));
    assert!(matches!(
        told.recv().await.map(|notice| *notice),
        Some(LobbyNotice::Pool { waiting: Some(_) })
    ));
    let became = lobby.become_bot(person.id).await.expect("nothing forbids it");
    assert_eq!(became.player, Player { kind: PlayerKind::Bot, ..person.clone() });
    lobby.join(id(2), person, key, outbox).await;
    let left = told.recv().await.map(|notice| *notice);
    assert!(matches!(left, Some(LobbyNotice::Pool { waiting: None })), "{left:?}");
    let refused = told.recv().await.map(|notice| *notice);
    let why = LobbyRefusal::NoBotsInPools.to_string();
    assert!(
        matches!(&refused, Some(LobbyNotice::Refused { why: told, .. }) if told.to_string() == why),
        "{refused:?}"
    );
    house.drop_it().await;
}

/// An old tab still takes the player for a guest, and its game would keep the old name.
#[tokio::test(flavor = "multi_thread")]
async fn whoever_has_signed_up_sits_down_by_the_new_name_at_once() {
    let mut house = House::new().await;
    house.open();
    let guest = house.guest(1).await;
    let name = AccountName::parse("ada").expect("a good name");
    let (old, new) = (house.session(1).shown.token, house.session(2));
    let promoted = house.store.promote_guest(guest.id, old, &name, "hash", &new, None).await;
    let ada = promoted.expect("the name is free").expect("the session is hers");
    house.lobby.signed_up(ada.clone()).await;
    let (level, variant) = (Level::ALL[0], Variant::Fourfold);
    let seat = SeatChoice::White;
    let seated = house.lobby.play_computer(guest, level, variant, seat, BLITZ, None).await;
    let game = house.registry.look(seated.expect("she plays").game).await.expect("readable");
    assert_eq!(game.expect("there").setup().seats.white.player, ada);
    house.drop_it().await;
}
