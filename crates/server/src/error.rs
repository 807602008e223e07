//! What a client is told when something is refused: a stable code, a status, a sentence.

use std::time::Duration;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::lobby::handle::LobbyRefusal;
use crate::player::WeakPassword;
use crate::store::StoreError;

/// Every refusal's name, over HTTP and over the socket. Names are for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    AlreadyPaired,
    AlreadyPlaying,
    AlreadySignedUp,
    BadMessage,
    BadPosition,
    BadRequest,
    BadText,
    Blocked,
    Busy,
    CannotAbort,
    CannotBeRated,
    CannotBecomeBot,
    CannotResign,
    CasualOnly,
    ChallengeClosed,
    ComputerBusy,
    GameOver,
    GameUnderWay,
    GuestsPlayCasual,
    IdReused,
    IllegalMove,
    Internal,
    InvalidName,
    InvalidToken,
    MethodNotAllowed,
    NameReserved,
    NameTaken,
    NoClaim,
    NoComputer,
    NoSuchOffer,
    NotAPlayer,
    NotAnAccount,
    NotForBots,
    NotFound,
    NotTheCreator,
    NotTheOpponent,
    NotTheOwner,
    NotWaiting,
    NotYourTurn,
    NothingToTakeBack,
    OfferOpen,
    OfferTooSoon,
    OpponentAway,
    OpponentPlaying,
    OwnChallenge,
    OwnSeek,
    PasswordCommon,
    PasswordHoldsName,
    PasswordTooLong,
    PasswordTooShort,
    PayloadTooLarge,
    RateLimited,
    RatingOutOfRange,
    RematchBegun,
    SeekGone,
    SessionNeeded,
    ShuttingDown,
    StalePly,
    StorageUnavailable,
    TimedOut,
    TooLarge,
    TooLate,
    TooManyBlocks,
    TooManyChallenges,
    TooManyGames,
    TooManyRequests,
    TooManySeeks,
    TooManySockets,
    TooManyTakebacks,
    TooManyWaiting,
    TooManyTokens,
    TooManyWatched,
    Unauthenticated,
    UnknownPool,
    UnsupportedMediaType,
    WrongCredentials,
    WrongOrigin,
}

impl Code {
    /// As clients read it.
    pub fn as_text(self) -> String {
        serde_json::to_string(&self).unwrap_or_default().trim_matches('"').to_owned()
    }

    /// The HTTP status that goes with it.
    const fn status(self) -> StatusCode {
        match self {
            Self::BadMessage
            | Self::BadRequest
            | Self::BadText
            | Self::CannotBeRated
            | Self::InvalidName
            | Self::PasswordCommon
            | Self::PasswordHoldsName
            | Self::PasswordTooLong
            | Self::PasswordTooShort
            | Self::IllegalMove
            | Self::UnknownPool => StatusCode::BAD_REQUEST,
            Self::InvalidToken | Self::Unauthenticated | Self::WrongCredentials => {
                StatusCode::UNAUTHORIZED
            }
            Self::WrongOrigin
            | Self::NotAPlayer
            | Self::NotAnAccount
            | Self::NotForBots
            | Self::NotTheCreator
            | Self::NotTheOpponent
            | Self::NotTheOwner
            | Self::RatingOutOfRange
            | Self::Blocked
            | Self::GuestsPlayCasual
            | Self::SessionNeeded => StatusCode::FORBIDDEN,
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::AlreadyPaired
            | Self::AlreadyPlaying
            | Self::AlreadySignedUp
            | Self::CannotAbort
            | Self::CannotBecomeBot
            | Self::CannotResign
            | Self::CasualOnly
            | Self::ChallengeClosed
            | Self::GameOver
            | Self::GameUnderWay
            | Self::IdReused
            | Self::NameReserved
            | Self::NameTaken
            | Self::NoClaim
            | Self::NoComputer
            | Self::NoSuchOffer
            | Self::NothingToTakeBack
            | Self::NotWaiting
            | Self::NotYourTurn
            | Self::OfferOpen
            | Self::OfferTooSoon
            | Self::OpponentAway
            | Self::OpponentPlaying
            | Self::OwnChallenge
            | Self::OwnSeek
            | Self::SeekGone
            | Self::RematchBegun
            | Self::StalePly
            | Self::TooLate => StatusCode::CONFLICT,
            Self::TimedOut => StatusCode::REQUEST_TIMEOUT,
            Self::PayloadTooLarge | Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::RateLimited
            | Self::TooManyBlocks
            | Self::TooManyChallenges
            | Self::TooManyGames
            | Self::TooManyRequests
            | Self::TooManySeeks
            | Self::TooManySockets
            | Self::TooManyTakebacks
            | Self::TooManyTokens
            | Self::TooManyWatched => StatusCode::TOO_MANY_REQUESTS,
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
            Self::Busy
            | Self::ComputerBusy
            | Self::TooManyWaiting
            | Self::ShuttingDown
            | Self::StorageUnavailable => StatusCode::SERVICE_UNAVAILABLE,
            Self::BadPosition => StatusCode::UNPROCESSABLE_ENTITY,
        }
    }
}

/// After what may be over in a moment, it is worth trying again so soon.
pub const MOMENT: Duration = Duration::from_secs(1);

/// A refusal over HTTP: `application/problem+json`, RFC 9457.
#[derive(Debug)]
pub struct ApiError {
    code: Code,
    detail: String,
    /// When to try again, for a refusal that time alone mends.
    retry_after: Option<Duration>,
    /// The methods that the address answers to, for one that it does not.
    allow: Option<&'static str>,
}

impl ApiError {
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self { code, detail: detail.into(), retry_after: None, allow: None }
    }

    /// The request itself is not as it has to be; `detail` says how.
    pub fn bad_request(detail: impl Into<String>) -> Self {
        Self::new(Code::BadRequest, detail)
    }

    pub fn retry_after(self, pause: Duration) -> Self {
        Self { retry_after: Some(pause), ..self }
    }

    pub fn method_not_allowed(allow: Option<&'static str>) -> Self {
        let detail = "This address does not answer to that method.";
        Self { allow, ..Self::new(Code::MethodNotAllowed, detail) }
    }

    pub fn not_found(what: &str) -> Self {
        Self::new(Code::NotFound, format!("There is no such {what}."))
    }

    pub fn no_computer() -> Self {
        Self::new(Code::NoComputer, "There is no computer here that could think.")
    }

    pub fn unauthenticated() -> Self {
        Self::new(Code::Unauthenticated, "This needs a session: log in, or play as a guest.")
    }
}

#[derive(Serialize)]
struct Problem<'a> {
    r#type: &'static str,
    title: &'static str,
    status: u16,
    code: Code,
    detail: &'a str,
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let status = self.code.status();
        let problem = Problem {
            r#type: "about:blank",
            title: status.canonical_reason().unwrap_or("Error"),
            status: status.as_u16(),
            code: self.code,
            detail: &self.detail,
        };
        let body = serde_json::to_string(&problem).unwrap_or_default();
        let mut response =
            (status, [(header::CONTENT_TYPE, "application/problem+json")], body).into_response();
        // For whoever counts them.
        response.extensions_mut().insert(self.code);
        let headers = response.headers_mut();
        if let Some(pause) = self.retry_after {
            // Rounded up: a moment too early would be refused again.
            headers.insert(header::RETRY_AFTER, (pause.as_secs() + 1).into());
        }
        if self.code == Code::InvalidToken {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Some(allow) = self.allow {
            headers.insert(header::ALLOW, HeaderValue::from_static(allow));
        }
        response
    }
}

/// Internals are logged, never sent.
impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        tracing::error!(%error, "request");
        match error {
            StoreError::Unavailable(_) => Self::new(
                Code::StorageUnavailable,
                "The database is not available now. Try again in a moment.",
            )
            .retry_after(MOMENT),
            StoreError::Constraint(_) | StoreError::Damaged(_) => {
                Self::new(Code::Internal, "Something went wrong here. It has been noted.")
            }
        }
    }
}

impl From<WeakPassword> for ApiError {
    fn from(why: WeakPassword) -> Self {
        let code = match why {
            WeakPassword::TooShort => Code::PasswordTooShort,
            WeakPassword::TooLong => Code::PasswordTooLong,
            WeakPassword::HoldsName => Code::PasswordHoldsName,
            WeakPassword::Common => Code::PasswordCommon,
        };
        Self::new(code, why.to_string())
    }
}

impl From<LobbyRefusal> for ApiError {
    fn from(why: LobbyRefusal) -> Self {
        let code = Code::from(&why);
        let refusal = Self::new(code, why.to_string());
        if code.status() == StatusCode::SERVICE_UNAVAILABLE {
            refusal.retry_after(MOMENT)
        } else {
            refusal
        }
    }
}
