//! What people say beside a game: pure. Two rooms, for those who play and for those who watch.
//!
//! Lines are no events: they are kept for as long as the game's task lives, and no longer.

use std::collections::VecDeque;
use std::sync::Arc;

use manifold_rules::Color;

use crate::ids::CommandId;
use crate::player::Player;
use crate::time::Timestamp;

/// The longest line.
pub const MAX_CHARS: usize = 500;
/// How many lines of each room are kept.
const KEPT: usize = 50;

/// Where a line is heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    Players,
    Spectators,
}

impl Room {
    /// Where somebody with this seat, or none, speaks and listens.
    pub const fn of(seat: Option<Color>) -> Self {
        match seat {
            Some(_) => Self::Players,
            None => Self::Spectators,
        }
    }
}

/// What may be said: some text, not too long, that no terminal and no page is led astray by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text(Box<str>);

impl Text {
    /// `None` if it may not be said. What stands around it is left out.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let length = text.chars().take(MAX_CHARS + 1).count();
        let fits = (1..=MAX_CHARS).contains(&length) && !text.chars().any(misleads);
        fits.then(|| Self(text.into()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Control characters, and those that turn the direction of what follows.
fn misleads(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Something that was said.
#[derive(Clone, Debug)]
pub struct Line {
    pub id: CommandId,
    pub by: Player,
    pub color: Option<Color>,
    pub text: Text,
    pub at: Timestamp,
}

/// What comes of saying something.
#[derive(Clone, Debug)]
pub enum Said {
    Heard(Arc<Line>),
    /// It was said before, under this id.
    Already,
    /// Something else was.
    IdReused,
}

/// The last lines of both rooms.
#[derive(Debug, Default)]
pub struct Chat {
    players: VecDeque<Arc<Line>>,
    spectators: VecDeque<Arc<Line>>,
}

impl Chat {
    pub fn say(&mut self, line: Line) -> Said {
        let room = match Room::of(line.color) {
            Room::Players => &mut self.players,
            Room::Spectators => &mut self.spectators,
        };
        let same = room.iter().find(|known| known.by.id == line.by.id && known.id == line.id);
        if let Some(known) = same {
            return if known.text == line.text { Said::Already } else { Said::IdReused };
        }
        if room.len() == KEPT {
            room.pop_front();
        }
        let line = Arc::new(line);
        room.push_back(Arc::clone(&line));
        Said::Heard(line)
    }

    /// The last lines of a room, the oldest first.
    pub fn lines(&self, room: Room) -> impl Iterator<Item = &Arc<Line>> {
        match room {
            Room::Players => self.players.iter(),
            Room::Spectators => self.spectators.iter(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::PlayerId;
    use crate::player::PlayerKind;

    fn line(by: &Player, id: usize, color: Option<Color>, text: &str) -> Line {
        Line {
            id: CommandId::numbered("line", id),
            by: by.clone(),
            color,
            text: Text::parse(text).expect("it may be said"),
            at: Timestamp::from_micros(0),
        }
    }

    fn somebody(name: &str) -> Player {
        Player { id: PlayerId::new(), name: name.to_owned(), kind: PlayerKind::Guest }
    }

    #[test]
    fn what_may_be_said() {
        for good in ["a", " hello\n", "tiếng Việt", "привет", "🙂", &"ж".repeat(500), "<b>"]
        {
            assert_eq!(Text::parse(good).expect("it may").as_str(), good.trim());
        }
        let long = "ж".repeat(501);
        for bad in [
            "",
            " ",
            "\n",
            "a\nb",
            "a\tb",
            "a\0b",
            "\u{1b}[2J",
            "a\u{202e}b",
            "a\u{2028}b",
            "a\u{85}b",
            &long,
        ] {
            assert_eq!(Text::parse(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn two_rooms_that_keep_fifty_lines_each() {
        let (ada, bob) = (somebody("ada"), somebody("bob"));
        let mut chat = Chat::default();
        for n in 0..60 {
            assert!(matches!(chat.say(line(&ada, n, Some(Color::White), "white")), Said::Heard(_)));
            assert!(matches!(chat.say(line(&bob, n, None, "nobody")), Said::Heard(_)));
        }
        for (room, text) in [(Room::Players, "white"), (Room::Spectators, "nobody")] {
            let ids: Vec<_> = chat.lines(room).map(|line| line.id.as_str().to_owned()).collect();
            assert_eq!((ids.len(), &*ids[0], &*ids[49]), (50, "line-10", "line-59"));
            assert!(chat.lines(room).all(|line| line.text.as_str() == text));
        }
    }

    #[test]
    fn a_retry_is_said_once() {
        let (ada, bob) = (somebody("ada"), somebody("bob"));
        let mut chat = Chat::default();
        chat.say(line(&ada, 1, None, "hello"));
        assert!(matches!(chat.say(line(&ada, 1, None, "hello")), Said::Already));
        assert!(matches!(chat.say(line(&ada, 1, None, "good bye")), Said::IdReused));
        assert!(matches!(chat.say(line(&bob, 1, None, "hello")), Said::Heard(_)), "another's id");
        assert_eq!(chat.lines(Room::Spectators).count(), 2);
    }
}
