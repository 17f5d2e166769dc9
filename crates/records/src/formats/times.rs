//! Times as records write them.

use std::time::Duration;

/// Reads `m:ss` or `h:mm:ss`, the seconds perhaps with a fraction.
pub(super) fn parse(text: &str) -> Option<Duration> {
    let mut parts = text.rsplit(':');
    let seconds = parse_seconds(parts.next()?.trim())?;
    let minutes: u64 = parts.next()?.trim().parse().ok()?;
    let hours: u64 = parts.next().map_or(Some(0), |hours| hours.trim().parse().ok())?;
    if parts.next().is_some() {
        return None;
    }
    let whole = hours.checked_mul(3600)?.checked_add(minutes.checked_mul(60)?)?;
    Duration::from_secs(whole).checked_add(seconds)
}

/// Reads `12`, `12.5` or `12.345`: seconds with at most nine places.
pub(super) fn parse_seconds(text: &str) -> Option<Duration> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(fraction) || fraction.len() > 9 {
        return None;
    }
    let nanos = format!("{fraction:0<9}").parse().ok()?;
    Some(Duration::new(whole.parse().ok()?, nanos))
}

/// `12`, or `12.345` where there is a fraction of a second.
pub(super) fn seconds(time: Duration) -> String {
    match time.subsec_nanos() {
        0 => time.as_secs().to_string(),
        nanos => {
            let fraction = format!("{nanos:09}");
            format!("{}.{}", time.as_secs(), fraction.trim_end_matches('0'))
        }
    }
}

/// ` 0:03`: whole minutes and seconds.
pub(super) fn minutes(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{:>2}:{:02}", seconds / 60, seconds % 60)
}

/// `00:00:03`: whole hours, minutes and seconds.
pub(super) fn hours(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_with_hours_and_fractions_and_written_back() {
        assert_eq!(parse("0:03"), Some(Duration::from_secs(3)));
        assert_eq!(parse("1:02:03"), Some(Duration::from_secs(3723)));
        assert_eq!(parse("0:01.5"), Some(Duration::from_millis(1500)));
        for text in ["", "3", "1:", "x:03", "1:2:3:4", "0:-3", "99999999999999999999:00"] {
            assert_eq!(parse(text), None, "{text}");
        }
        for text in ["0", "12", "12.5", "0.001", "7.000000001"] {
            assert_eq!(seconds(parse_seconds(text).unwrap()), text);
        }
        assert_eq!(parse_seconds("1.0000000001"), None);
        assert_eq!(minutes(Duration::from_secs(3723)), "62:03");
        assert_eq!(hours(Duration::from_secs(3723)), "01:02:03");
    }
}
