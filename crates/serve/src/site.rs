//! The web client, which is part of the program.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};
use std::io::Write;
use std::sync::{Arc, LazyLock, OnceLock};

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{AppendHeaders, IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use keisei_engine::models;
use rust_embed::RustEmbed;
use serde_json::Value;

use crate::problem::Problem;

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[exclude = "models/*"]
#[allow_missing = true]
struct Site;

/// A file as browsers get it.
struct SiteFile {
    kind: String,
    tag: String,
    plain: Bytes,
    /// Compressed when the first browser asks for it, unless that gains nothing. Brotli would be
    /// smaller, but browsers take it over HTTPS only, and this server speaks HTTP.
    packed: OnceLock<Option<Bytes>>,
}

/// Every file by its path: those of the built client, and the engine's networks beside them.
static FILES: LazyLock<HashMap<String, Arc<SiteFile>>> = LazyLock::new(|| {
    let client =
        Site::iter().filter_map(|path| Some((path.to_string(), built(&Site::get(&path)?))));
    let listing: Value = serde_json::from_str(models::LISTING).unwrap_or_default();
    let networks = listing["networks"].as_array().into_iter().flatten().filter_map(|network| {
        let file = network["file"].as_str()?;
        Some((format!("models/{file}"), self::network(models::weights(file)?)))
    });
    let listing = Bytes::from_static(models::LISTING.as_bytes());
    let listing = ("models/models.json".to_owned(), SiteFile::new("application/json", listing));
    client.chain(networks).chain([listing]).map(|(path, file)| (path, Arc::new(file))).collect()
});

fn built(file: &rust_embed::EmbeddedFile) -> SiteFile {
    let bytes = match &file.data {
        Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        Cow::Owned(bytes) => bytes.clone().into(),
    };
    SiteFile::new(file.metadata.mimetype(), bytes)
}

fn network(weights: &'static [u8]) -> SiteFile {
    SiteFile::new("application/octet-stream", Bytes::from_static(weights))
}

impl SiteFile {
    fn new(kind: &str, plain: Bytes) -> Self {
        let charset = if kind.starts_with("text/") { "; charset=utf-8" } else { "" };
        let mut hasher = DefaultHasher::new();
        hasher.write(&plain);
        Self {
            kind: format!("{kind}{charset}"),
            // Weak, because the compressed bytes have the same one.
            tag: format!("W/\"{:x}-{:x}\"", plain.len(), hasher.finish()),
            plain,
            packed: OnceLock::new(),
        }
    }

    /// Whether compression is worth trying.
    fn shrinks(&self) -> bool {
        let packed_already = self.kind.starts_with("image/") && self.kind != "image/svg+xml";
        self.plain.len() > 1024 && !packed_already
    }

    fn packed(&self) -> Option<Bytes> {
        let pack = || {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
            encoder.write_all(&self.plain).ok()?;
            let packed = encoder.finish().ok()?;
            (packed.len() < self.plain.len() / 10 * 9).then(|| packed.into())
        };
        self.packed.get_or_init(pack).clone()
    }
}

/// Whether the client takes gzip.
fn takes_gzip(headers: &HeaderMap) -> bool {
    let offers = headers.get_all(header::ACCEPT_ENCODING).iter();
    offers.filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(',')).any(|offer| {
        let (name, weight) = offer.split_once(';').unwrap_or((offer, ""));
        let refused = weight.trim().strip_prefix("q=").is_some_and(|q| q.parse() == Ok(0.0));
        name.trim().eq_ignore_ascii_case("gzip") && !refused
    })
}

/// A file of the client. Its files with a hash in their names never change; all others are asked
/// for again.
pub(crate) async fn file(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    if path == "api" || path.starts_with("api/") {
        return Problem::NoRoute { path: uri.path().to_owned() }.into_response();
    }
    if method != Method::GET && method != Method::HEAD {
        return Problem::Method { method: method.to_string() }.into_response();
    }
    let Some(file) = FILES.get(path).map(Arc::clone) else {
        return Problem::NoRoute { path: uri.path().to_owned() }.into_response();
    };
    let lasting = path.starts_with("assets/");
    let cache = if lasting { "public, max-age=31536000, immutable" } else { "no-cache" };
    let mut shared = vec![
        (header::ETAG, file.tag.clone()),
        (header::CACHE_CONTROL, cache.to_owned()),
        (header::VARY, header::ACCEPT_ENCODING.to_string()),
    ];
    let known = headers.get(header::IF_NONE_MATCH).map(HeaderValue::as_bytes);
    if known == Some(file.tag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, AppendHeaders(shared)).into_response();
    }
    shared.push((header::CONTENT_TYPE, file.kind.clone()));
    let packed = if takes_gzip(&headers) && file.shrinks() {
        let file = Arc::clone(&file);
        tokio::task::spawn_blocking(move || file.packed()).await.unwrap_or_default()
    } else {
        None
    };
    shared.extend(packed.is_some().then(|| (header::CONTENT_ENCODING, "gzip".to_owned())));
    (AppendHeaders(shared), Body::from(packed.unwrap_or_else(|| file.plain.clone())))
        .into_response()
}
