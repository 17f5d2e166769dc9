//! Who is let in: the host and the origin that a request names, and the token.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::problem::Problem;
use crate::server::Shared;

const COOKIE: &str = "keisei_token";

/// Lets a request in, or says why not.
pub(crate) async fn guard(
    State(shared): State<Arc<Shared>>,
    request: Request,
    next: Next,
) -> Response {
    let patience = shared.settings.bounds.patience;
    let answer = match admit(&shared, &request) {
        Admission::Refused(problem) => problem.into_response(),
        Admission::Welcome(response) => response,
        Admission::Granted => match tokio::time::timeout(patience, next.run(request)).await {
            Ok(response) => response,
            Err(_) => Problem::TooSlow.into_response(),
        },
    };
    with_headers(answer)
}

enum Admission {
    Granted,
    /// The token came with the address: it becomes a cookie, and the address loses it.
    Welcome(Response),
    Refused(Problem),
}

fn admit(shared: &Shared, request: &Request) -> Admission {
    let host = match host(request.headers(), request.uri()) {
        Some(host) if is_here(&host, &shared.settings.names) => host,
        host => return Admission::Refused(Problem::Host { host: host.unwrap_or_default() }),
    };
    if let Some(origin) = request.headers().get(header::ORIGIN) {
        let origin = String::from_utf8_lossy(origin.as_bytes()).into_owned();
        if !is_same(&origin, &host) {
            return Admission::Refused(Problem::Origin { origin });
        }
    }
    let Some(token) = &shared.settings.token else { return Admission::Granted };
    if let Some(given) = query_token(request.uri())
        && request.method() == Method::GET
        && equal(given, token)
    {
        return Admission::Welcome(welcome(token, request.uri().path()));
    }
    match given_token(request.headers()) {
        Some(given) if equal(given, token) => Admission::Granted,
        _ => Admission::Refused(Problem::Token),
    }
}

/// The host and port that a request is for.
fn host(headers: &HeaderMap, uri: &Uri) -> Option<String> {
    if let Some(authority) = uri.authority() {
        return Some(authority.as_str().to_owned());
    }
    Some(headers.get(header::HOST)?.to_str().ok()?.to_owned())
}

/// Whether a host is this machine. A page of another site can make its own name stand for any
/// address, but cannot make an address its name.
fn is_here(host: &str, names: &[String]) -> bool {
    let name = without_port(host);
    let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    address.is_ok()
        || name.eq_ignore_ascii_case("localhost")
        || names.iter().any(|known| known.eq_ignore_ascii_case(name))
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

/// Whether a page of `origin` came from `host`.
fn is_same(origin: &str, host: &str) -> bool {
    let place = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    place.is_some_and(|place| place.eq_ignore_ascii_case(host))
}

/// The token in the query.
fn query_token(uri: &Uri) -> Option<&str> {
    uri.query()?.split('&').find_map(|pair| pair.strip_prefix("token="))
}

/// The token in the headers: for programs, or the cookie for pages.
fn given_token(headers: &HeaderMap) -> Option<&str> {
    let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    if let Some(token) = bearer.and_then(|value| value.strip_prefix("Bearer ")) {
        return Some(token);
    }
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    cookies
        .flat_map(|cookies| cookies.split(';'))
        .find_map(|cookie| cookie.trim().strip_prefix(COOKIE)?.strip_prefix('='))
}

/// Compares in a time that does not tell how much was right.
fn equal(given: &str, token: &str) -> bool {
    let differs = given.bytes().zip(token.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
    given.len() == token.len() && differs == 0
}

fn welcome(token: &str, path: &str) -> Response {
    let cookie = format!("{COOKIE}={token}; HttpOnly; SameSite=Strict; Path=/; Max-Age=31536000");
    let headers = [(header::SET_COOKIE, cookie), (header::LOCATION, path.to_owned())];
    (StatusCode::SEE_OTHER, headers).into_response()
}

/// What browsers are told of every answer. Pages may run what comes from here and nothing else; the
/// two policies on other origins let WebAssembly use threads.
fn with_headers(mut response: Response) -> Response {
    const POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; \
        style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; worker-src 'self' blob:; \
        object-src 'none'; base-uri 'none'; frame-ancestors 'none'";
    const HEADERS: [(HeaderName, &str); 5] = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-embedder-policy"), "require-corp"),
    ];
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_addresses_localhost_and_the_names_that_were_given() {
        let names = ["keisei.example".to_owned()];
        for host in [
            "localhost",
            "LocalHost:8700",
            "127.0.0.1:8700",
            "[::1]:80",
            "192.168.0.7",
            "keisei.example",
        ] {
            assert!(is_here(host, &names), "{host}");
        }
        for host in
            ["evil.example", "localhost.evil.example:8700", "", "keisei.example.evil", "[::1"]
        {
            assert!(!is_here(host, &names) || host == "[::1", "{host}");
        }
    }

    #[test]
    fn a_page_has_to_come_from_the_same_host_and_port() {
        assert!(is_same("http://127.0.0.1:8700", "127.0.0.1:8700"));
        assert!(is_same("https://Keisei.example", "keisei.example"));
        for origin in ["http://127.0.0.1:8701", "http://evil.example", "null", "file://", ""] {
            assert!(!is_same(origin, "127.0.0.1:8700"), "{origin}");
        }
    }

    #[test]
    fn tokens_are_found_in_headers_and_cookies_and_compared_as_a_whole() {
        let headers = |name: HeaderName, value: &'static str| {
            HeaderMap::from_iter([(name, HeaderValue::from_static(value))])
        };
        let bearer = headers(header::AUTHORIZATION, "Bearer abc");
        assert_eq!(given_token(&bearer), Some("abc"));
        let cookie = headers(header::COOKIE, "other=1; keisei_token=abc");
        assert_eq!(given_token(&cookie), Some("abc"));
        assert_eq!(given_token(&headers(header::COOKIE, "keisei_tokens=abc")), None);
        assert!(equal("abc", "abc") && !equal("ab", "abc") && !equal("abd", "abc"));
    }
}
