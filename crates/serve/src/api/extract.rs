//! Reading requests: axum's readers with our words for what is wrong.

use axum::Json;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::problem::Problem;

/// A JSON body.
pub(super) struct Body<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        match Json::from_request(request, state).await {
            Ok(Json(value)) => Ok(Self(value)),
            Err(rejection) => Err(body_problem(&rejection)),
        }
    }
}

fn body_problem(rejection: &JsonRejection) -> Problem {
    match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Problem::TooLarge { limit: 64 << 10 },
        _ => Problem::Request(rejection.body_text()),
    }
}

/// The parameters after the question mark.
pub(super) struct Parameters<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Parameters<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let problem = |rejection: QueryRejection| Problem::Request(rejection.body_text());
        Query::from_request_parts(parts, state)
            .await
            .map(|Query(value)| Self(value))
            .map_err(problem)
    }
}

/// Parts of the path.
pub(super) struct Path<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Path<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        match axum::extract::Path::from_request_parts(parts, state).await {
            Ok(axum::extract::Path(value)) => Ok(Self(value)),
            // Bytes that are no text name nothing.
            Err(_) => Err(Problem::NoRoute { path: parts.uri.path().to_owned() }),
        }
    }
}

/// A connection that becomes a WebSocket.
pub(super) struct Upgrade(pub(super) WebSocketUpgrade);

impl<S: Send + Sync> FromRequestParts<S> for Upgrade {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let upgrade = WebSocketUpgrade::from_request_parts(parts, state).await;
        let upgrade = upgrade.map_err(|_| Problem::NoUpgrade)?;
        // Nothing that clients say is long, and what is said to them may wait in a ring, not here.
        Ok(Self(
            upgrade
                .max_message_size(64 << 10)
                .max_frame_size(64 << 10)
                .write_buffer_size(0)
                .read_buffer_size(4 << 10),
        ))
    }
}
