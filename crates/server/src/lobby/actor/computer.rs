//! Games against the computer.

use manifold_engine::Level;
use rand::RngExt as _;

use super::LobbyActor;
use super::unsure::{Begun, Of};
use crate::ids::CommandId;
use crate::lobby::challenge::SeatChoice;
use crate::lobby::handle::{LobbyRefusal, Seated};
use crate::lobby::seating::{Origin, Terms, seated};
use crate::player::Player;
use crate::store::requests::GameRequest;

impl LobbyActor {
    pub(super) async fn play_computer(
        &mut self,
        player: Player,
        level: Level,
        color: SeatChoice,
        terms: Terms,
        command: Option<CommandId>,
    ) -> Result<Seated, LobbyRefusal> {
        // This may be the retry of one that was made and not answered.
        self.be_sure_of(&[player.id]).await?;
        let request = command.map(|command| GameRequest { player: player.id, command, color });
        if let Some(request) = &request
            && let Some(before) = self.seating.requested(request, level, terms).await?
        {
            return Ok(before);
        }
        let player = self.seating.as_now(player).await?;
        let (color, id) = (color.color(rand::rng().random()), player.id);
        let computer = Player::computer(level);
        let beginning = self.seating.begin_for(terms.time, [&player, &computer], id).await?;
        let seats = seated(color, player, computer);
        let setup = self.seating.setup(terms, None, seats).await?;
        let game = setup.id;
        let begun = Begun { setup, of: Of::Nothing };
        let origin = request.as_ref().map_or(Origin::Nothing, Origin::Request);
        if let Err(error) = self.seating.seat(origin, begun.setup.clone()).await {
            self.doubt(&error, begun, beginning);
            return Err(error.into());
        }
        self.sits_down(id);
        Ok(Seated { game, color })
    }
}
