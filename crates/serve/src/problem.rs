//! What is answered to a request that cannot be fulfilled: problem details as RFC 9457 has them.

use std::io;
use std::path::Path;

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use keisei_engine::{BuildError, PlayerError};
use serde::Serialize;
use utoipa::{IntoResponses, ToSchema};

/// Why a request is refused, or cannot be fulfilled. Where a value is to blame, it is named.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Problem {
    #[error("there is nothing at this address")]
    NoRoute { path: String },
    #[error("there is no run of this name")]
    NoRun { name: String },
    #[error("there is no such file")]
    NoFile { name: String },
    #[error("the run has no {what}")]
    NotInRun { what: &'static str, run: String },
    #[error("this address is not for {method}")]
    Method { method: String },
    #[error("{name} should be {expected}")]
    Parameter { name: &'static str, value: String, expected: String },
    #[error("the request cannot be read: {0}")]
    Request(String),
    #[error("the request is too large: at most {limit} bytes are taken here")]
    TooLarge { limit: usize },
    #[error("the request took too long")]
    TooSlow,
    #[error("requests for this host are not answered: add it with --name if it is this machine")]
    Host { host: String },
    #[error("requests from pages of another site are not answered")]
    Origin { origin: String },
    #[error("a token is needed: open the address that `keisei serve` printed when it started")]
    Token,
    #[error("this address speaks WebSocket only")]
    NoUpgrade,
    #[error("{problem}")]
    Position { position: String, problem: String },
    #[error("{problem}")]
    Player { player: String, problem: String },
    #[error("{problem}")]
    Record { name: String, problem: String },
    #[error(
        "a record's name may have letters, digits, blanks and -_.()+ in every part, and ends as its format does"
    )]
    RecordName { name: String },
    #[error("there is a record of this name already")]
    Exists { name: String },
    #[error("there is no folder of records here: start the server with --records")]
    NoRecords,
    #[error("{what}: try again later")]
    Busy { what: &'static str },
    #[error("the disk refuses: {0}")]
    Disk(String),
    #[error("{0}")]
    Failed(String),
}

/// A problem as it is sent.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ProblemDetails {
    /// The HTTP status.
    #[schema(minimum = 400, maximum = 599)]
    pub status: u16,
    /// The status in words.
    pub title: String,
    /// What is wrong, for a person.
    pub detail: String,
    /// The offending value, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

/// The answers that every request may get.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "describes answers for the API's document")]
pub(crate) enum Refusals {
    /// The request cannot be read.
    #[response(status = 400, content_type = "application/problem+json")]
    Request(ProblemDetails),
    /// A token is needed.
    #[response(status = 401, content_type = "application/problem+json")]
    Token(ProblemDetails),
    /// The host or the origin is not this server's.
    #[response(status = 403, content_type = "application/problem+json")]
    Elsewhere(ProblemDetails),
    /// There is no such thing.
    #[response(status = 404, content_type = "application/problem+json")]
    Missing(ProblemDetails),
    /// The request took too long.
    #[response(status = 408, content_type = "application/problem+json")]
    TooSlow(ProblemDetails),
    /// The request is too large.
    #[response(status = 413, content_type = "application/problem+json")]
    TooLarge(ProblemDetails),
    /// What is asked cannot be done with these values.
    #[response(status = 422, content_type = "application/problem+json")]
    Impossible(ProblemDetails),
    /// The server is busy.
    #[response(status = 503, content_type = "application/problem+json")]
    Busy(ProblemDetails),
}

/// The longest value that is sent back.
const LONGEST_VALUE: usize = 200;

impl Problem {
    fn status(&self) -> StatusCode {
        match self {
            Self::Parameter { .. } | Self::Request(_) => StatusCode::BAD_REQUEST,
            Self::Token => StatusCode::UNAUTHORIZED,
            Self::Host { .. } | Self::Origin { .. } => StatusCode::FORBIDDEN,
            Self::NoRoute { .. }
            | Self::NoRun { .. }
            | Self::NoFile { .. }
            | Self::NotInRun { .. }
            | Self::NoRecords => StatusCode::NOT_FOUND,
            Self::Method { .. } => StatusCode::METHOD_NOT_ALLOWED,
            Self::TooSlow => StatusCode::REQUEST_TIMEOUT,
            Self::TooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Position { .. }
            | Self::Player { .. }
            | Self::Record { .. }
            | Self::RecordName { .. } => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Exists { .. } => StatusCode::CONFLICT,
            Self::NoUpgrade => StatusCode::UPGRADE_REQUIRED,
            Self::Busy { .. } => StatusCode::SERVICE_UNAVAILABLE,
            Self::Disk(_) | Self::Failed(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    fn value(&self) -> Option<&str> {
        Some(match self {
            Self::NoRoute { path } => path,
            Self::NoRun { name } | Self::NoFile { name } | Self::NotInRun { run: name, .. } => name,
            Self::Method { method } => method,
            Self::Parameter { value, .. } => value,
            Self::Host { host } => host,
            Self::Origin { origin } => origin,
            Self::Position { position, .. } => position,
            Self::Player { player, .. } => player,
            Self::Record { name, .. } | Self::RecordName { name } | Self::Exists { name } => name,
            _ => return None,
        })
    }

    /// The problem as it is sent.
    pub(crate) fn details(&self) -> ProblemDetails {
        let status = self.status();
        let shortened = |value: &str| value.chars().take(LONGEST_VALUE).collect();
        ProblemDetails {
            status: status.as_u16(),
            title: status.canonical_reason().unwrap_or("Problem").to_owned(),
            detail: self.to_string(),
            value: self.value().map(shortened),
        }
    }

    /// What the disk says of a file that a request named.
    pub(crate) fn reading(name: &str) -> impl FnOnce(io::Error) -> Self {
        let name = name.to_owned();
        move |error| match error.kind() {
            io::ErrorKind::NotFound
            | io::ErrorKind::NotADirectory
            | io::ErrorKind::IsADirectory => Self::NoFile { name },
            _ => Self::Disk(format!("{name}: {error}")),
        }
    }

    /// A player that cannot be had.
    pub(crate) fn player(player: &str, error: impl std::fmt::Display) -> Self {
        Self::Player { player: player.to_owned(), problem: error.to_string() }
    }
}

impl From<PlayerError> for Problem {
    fn from(error: PlayerError) -> Self {
        Self::Failed(error.to_string())
    }
}

/// Why a player cannot be built, without the paths of this machine.
pub(crate) fn build_problem(player: &str, error: BuildError, runs: &Path) -> Problem {
    Problem::player(player, error.to_string().replace(&format!("{}/", runs.display()), ""))
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        if self.status().is_server_error() && !matches!(self, Self::Busy { .. }) {
            tracing::error!(problem = %self, "a request failed");
        }
        let body = serde_json::to_vec(&self.details()).expect("problems are plain JSON");
        let mut response = (self.status(), Body::from(body)).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if matches!(self, Self::Token) {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if matches!(self, Self::NoUpgrade) {
            headers.insert(header::UPGRADE, HeaderValue::from_static("websocket"));
        }
        response
    }
}
