//! What a socket asks the lobby, and what it is told while it looks at the seeks.
//!
//! What there is to see is one value that the lobby replaces. Each socket compares it with what it has told already: so
//! nothing queues up for a slow reader, who is told what has become of it all when it is ready for it.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::Message;
use futures_util::SinkExt as _;
use tokio::sync::watch;
use tokio::time::{Interval, MissedTickBehavior, interval};

use super::protocol::client::{LobbyAsk, RangeBody, SeekBody};
use super::protocol::server::{CountsJson, CrowdJson, PoolJson, ServerMessage};
use super::{Connection, End, bounded};
use crate::error::Code;
use crate::ids::{CommandId, PlayerId};
use crate::lobby::pool::PoolKey;
use crate::lobby::seek::{Board, Change, RatingRange, Viewer, Wanted};
use crate::state::AppState;
use crate::terms::{Terms, TermsBody};
use crate::wire::SeekJson;

/// How often those who look are told how many there are.
const COUNTING: Duration = Duration::from_secs(2);

/// What one socket has told of the lobby.
pub(super) struct LobbyView {
    boards: watch::Receiver<Arc<Board>>,
    told: Arc<Board>,
    viewer: Viewer,
    counts: CountsJson,
    counting: Interval,
}

/// What there may be to tell.
pub(super) enum Due {
    Seeks,
    Counts,
}

/// Waits until there may be something to tell; for ever, where nobody looks.
pub(super) async fn due(view: &mut Option<Box<LobbyView>>) -> Due {
    let Some(view) = view else { return pending().await };
    tokio::select! {
        changed = view.boards.changed() => match changed {
            Ok(()) => Due::Seeks,
            // The lobby has ended, and the server is about to.
            Err(_) => pending().await,
        },
        _ = view.counting.tick() => Due::Counts,
    }
}

impl LobbyView {
    fn new(boards: watch::Receiver<Arc<Board>>, viewer: Viewer, counts: CountsJson) -> Self {
        let mut counting = interval(COUNTING);
        counting.set_missed_tick_behavior(MissedTickBehavior::Delay);
        // What there is at once has been told with the list.
        counting.reset();
        Self { boards, told: Arc::default(), viewer, counts, counting }
    }

    /// The whole list, to whoever has asked for it or has missed too much.
    fn list(&mut self, id: Option<&CommandId>, waiting: Option<PoolKey>) -> String {
        self.told = Arc::clone(&self.boards.borrow_and_update());
        ServerMessage::Lobby {
            id,
            counts: self.counts.clone(),
            waiting: waiting.map(PoolJson::from),
            seeks: self.told.shown_to(&self.viewer).map(|seek| SeekJson::from(&**seek)).collect(),
        }
        .to_json()
    }

    /// What has changed since it was told last, or the whole list if that is much.
    fn changes(&mut self, waiting: Option<PoolKey>) -> Vec<String> {
        let now = Arc::clone(&self.boards.borrow_and_update());
        let Some(changes) = now.changes_since(&self.told, &self.viewer) else {
            return vec![self.list(None, waiting)];
        };
        self.told = now;
        let message = |change: Change| match change {
            Change::Added(seek) => {
                ServerMessage::SeekAdded { seek: Box::new(SeekJson::from(&*seek)) }.to_json()
            }
            Change::Removed(seek) => ServerMessage::SeekRemoved { seek }.to_json(),
        };
        changes.into_iter().map(message).collect()
    }
}

/// Who looks, and whom they do not want to see. `None` if that cannot be known now.
async fn viewer(app: &AppState, player: Option<PlayerId>) -> Option<Viewer> {
    let Some(player) = player else { return Some(Viewer::default()) };
    let blocked = app.blocks.of(player).await.ok()?;
    Some(Viewer { player: Some(player), blocked })
}

fn counts(app: &AppState) -> CountsJson {
    CountsJson {
        online: app.sockets.players(),
        games: app.registry.under_way_count(),
        pools: app.lobby.crowds().iter().map(CrowdJson::from).collect(),
    }
}

impl Connection {
    pub(super) async fn ask_lobby(&mut self, id: CommandId, ask: LobbyAsk) -> Result<(), End> {
        let Some(player) = self.player.clone() else {
            return self.refuse_stranger(&id).await;
        };
        if matches!(ask, LobbyAsk::Seek(_) | LobbyAsk::AcceptSeek { .. })
            && !self.app.limits.writes.allows(&self.place.place)
        {
            let detail = "Too many seeks came from where you are. Try again in a few minutes.";
            return self.refuse(Some(&id), Code::RateLimited, detail).await;
        }
        let lobby = &self.app.lobby;
        let outbox = self.lobby_outbox.clone();
        match ask {
            LobbyAsk::JoinPool { variant, time, rated } => {
                let Some(key) = self.app.pool(&variant, &time, rated) else {
                    let detail = "There is no such pool.";
                    return self.refuse(Some(&id), Code::UnknownPool, detail).await;
                };
                lobby.join(id, player, key, outbox).await;
            }
            LobbyAsk::LeavePool => lobby.leave(id, player.id, outbox).await,
            LobbyAsk::Seek(body) => match wanted(&self.app, body) {
                Ok(wanted) => lobby.seek(id, player, wanted, outbox).await,
                Err(why) => return self.refuse(Some(&id), Code::BadMessage, &why).await,
            },
            LobbyAsk::CancelSeek { seek } => lobby.cancel_seek(id, player.id, seek, outbox).await,
            LobbyAsk::AcceptSeek { seek } => lobby.accept_seek(id, player, seek, outbox).await,
        }
        Ok(())
    }

    /// Shows the list, and tells from now on what changes in it.
    pub(super) async fn look(&mut self, id: &CommandId) -> Result<(), End> {
        let player = self.player.as_ref().map(|player| player.id);
        let Some(viewer) = viewer(&self.app, player).await else {
            let detail = "The database is not available now. Try again in a moment.";
            return self.refuse(Some(id), Code::StorageUnavailable, detail).await;
        };
        let view = LobbyView::new(self.app.lobby.board(), viewer, counts(&self.app));
        let list = self.lobby_view.insert(Box::new(view)).list(Some(id), self.waiting);
        self.send(list).await
    }

    /// Tells nothing of it any more.
    pub(super) async fn look_away(&mut self, id: &CommandId) -> Result<(), End> {
        self.lobby_view = None;
        let ack = ServerMessage::Ack { id, game: None, seq: None, seek: None };
        self.send(ack.to_json()).await
    }

    /// Tells what has changed since it was told last.
    pub(super) async fn tell_lobby(&mut self, due: Due) -> Result<(), End> {
        let player = self.player.as_ref().map(|player| player.id);
        let viewer = match due {
            // As long as it is not known who is blocked now, what was known is gone by.
            Due::Seeks => viewer(&self.app, player).await,
            Due::Counts => None,
        };
        let Some(view) = &mut self.lobby_view else { return Ok(()) };
        let messages = match due {
            Due::Seeks => {
                let is_other =
                    viewer.as_ref().is_some_and(|new| new.blocked != view.viewer.blocked);
                view.viewer = viewer.unwrap_or_else(|| view.viewer.clone());
                if is_other {
                    vec![view.list(None, self.waiting)]
                } else {
                    view.changes(self.waiting)
                }
            }
            Due::Counts => {
                let before = std::mem::replace(&mut view.counts, counts(&self.app));
                let is_other = view.counts != before;
                is_other
                    .then(|| ServerMessage::LobbyCounts(view.counts.clone()).to_json())
                    .into_iter()
                    .collect()
            }
        };
        if messages.is_empty() {
            return Ok(());
        }
        for message in messages {
            bounded(&self.closing, self.socket.feed(Message::text(message))).await?;
        }
        bounded(&self.closing, self.socket.flush()).await
    }
}

/// What is sought, or the sentence that says why it cannot be.
fn wanted(app: &AppState, body: SeekBody) -> Result<Wanted, String> {
    let SeekBody { variant, color, time, rated, rating } = body;
    let terms = TermsBody { variant, color, time: Some(time) };
    let Terms { variant, color, time } = terms.parse(app)?;
    let RangeBody { min, max } = rating;
    let range = RatingRange::new(min, max).ok_or("rating.min is at most rating.max.".to_owned())?;
    Ok(Wanted { variant, color, time, rated, range })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::clock::{Fischer, TimeControl};
    use crate::ids::SeekId;
    use crate::lobby::challenge::SeatChoice;
    use crate::lobby::seek::{Ending, Seek, Seeks};
    use crate::player::{Player, PlayerKind};
    use crate::time::Timestamp;
    use futures_util::FutureExt as _;
    use manifold_rules::Variant;
    use serde_json::Value;

    fn seek(n: usize) -> Seek {
        let time = TimeControl::Fischer(Fischer { base_ms: 180_000, increment_ms: 2000 });
        let (variant, color, range) =
            (Variant::Fourfold, SeatChoice::Random, RatingRange::default());
        let name = format!("p{n}");
        Seek {
            id: SeekId::new(),
            owner: Player { id: PlayerId::new(), name, kind: PlayerKind::Account },
            rating: None,
            wanted: Wanted { variant, color, time, rated: false, range },
            command: CommandId::numbered("seek", n),
            created_at: Timestamp::from_micros(0),
            expires_at: Timestamp::from_micros(1),
        }
    }

    /// What kind of messages these are.
    fn kinds(messages: &[String]) -> Vec<String> {
        let kind = |message: &String| {
            let message: Value = serde_json::from_str(message).expect("JSON");
            message["t"].as_str().expect("it has a kind").to_owned()
        };
        messages.iter().map(kind).collect()
    }

    #[tokio::test]
    async fn a_slow_reader_is_told_the_whole_list_at_last_and_nothing_waits_for_it() {
        let mut seeks = Seeks::default();
        let (board, boards) = watch::channel(Arc::new(seeks.board()));
        let counts = CountsJson { online: 0, games: 0, pools: Vec::new() };
        let view = LobbyView::new(boards, Viewer::default(), counts);
        let mut view = Some(Box::new(view));
        let tell = |view: &mut Option<Box<LobbyView>>| match due(view).now_or_never() {
            Some(Due::Seeks) => view.as_mut().expect("it looks").changes(None),
            Some(Due::Counts) => panic!("no time has passed"),
            None => Vec::new(),
        };
        view.as_mut().expect("it looks").list(None, None);
        assert!(tell(&mut view).is_empty(), "nothing has changed");

        let first = seek(0);
        let first_id = first.id;
        seeks.list(first, Arc::default());
        board.send_replace(Arc::new(seeks.board()));
        assert_eq!(kinds(&tell(&mut view)), ["seek_added"]);
        // Much happens while it reads nothing.
        for n in 1..=40 {
            seeks.list(seek(n), Arc::default());
            board.send_replace(Arc::new(seeks.board()));
        }
        seeks.end(first_id, Ending::Over);
        board.send_replace(Arc::new(seeks.board()));
        let told = tell(&mut view);
        assert_eq!(kinds(&told), ["lobby"]);
        let list: Value = serde_json::from_str(&told[0]).expect("JSON");
        assert_eq!((&list["id"], list["seeks"].as_array().map(Vec::len)), (&Value::Null, Some(40)));
        assert!(tell(&mut view).is_empty(), "all of it has been told");
        // What comes and goes in between is not told at all.
        let brief = seek(41);
        let brief_id = brief.id;
        seeks.list(brief, Arc::default());
        board.send_replace(Arc::new(seeks.board()));
        seeks.end(brief_id, Ending::Canceled);
        board.send_replace(Arc::new(seeks.board()));
        assert!(tell(&mut view).is_empty());
    }
}
