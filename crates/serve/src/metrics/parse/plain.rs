//! Records as training writes them: `{"name":number,…}` without spaces, escapes or anything else,
//! read in one pass over their bytes.

use super::{Columns, Line};

/// Reads a record into `line`. `None` if anything in it is unusual, which says nothing about whether
/// it is a record.
pub(super) fn read(bytes: &[u8], columns: &mut Columns, line: &mut Line) -> Option<()> {
    let mut rest = bytes.strip_prefix(b"{")?.strip_suffix(b"}")?;
    loop {
        let begun = rest.strip_prefix(b"\"")?;
        rest = match expected(begun, columns, line) {
            Some((place, after)) => {
                let (value, after) = number(after)?;
                line.values.push((place, value as f32));
                after
            }
            None => unexpected(begun, columns, line)?,
        };
        match rest {
            [] => return Some(()),
            [b',', next @ ..] => rest = next,
            _ => return None,
        }
    }
}

/// The metric that the record before had at this place, if it is the next one here too.
fn expected<'a>(begun: &'a [u8], columns: &Columns, line: &Line) -> Option<(usize, &'a [u8])> {
    let &(place, _) = line.before.get(line.values.len())?;
    let after = begun.strip_prefix(columns.metrics[place].name.as_bytes())?;
    Some((place, after.strip_prefix(b"\":")?))
}

/// A count of updates or moves, or a metric that the record before did not have here.
fn unexpected<'a>(begun: &'a [u8], columns: &mut Columns, line: &mut Line) -> Option<&'a [u8]> {
    let end = begun.iter().position(|&byte| byte == b'"')?;
    let (name, after) = (&begun[..end], begun[end + 1..].strip_prefix(b":")?);
    if name.iter().any(|&byte| byte == b'\\' || byte < b' ') {
        return None;
    }
    match name {
        b"update" => {
            let (count, after) = whole(after)?;
            line.update = Some(count);
            Some(after)
        }
        b"step" => {
            let (count, after) = whole(after)?;
            line.step = Some(count);
            Some(after)
        }
        name => {
            let (value, after) = number(after)?;
            line.note(columns, std::str::from_utf8(name).ok()?, value);
            Some(after)
        }
    }
}

/// The digits at the beginning as a number, if they are few enough for one.
fn digits(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let len = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if len == 0 || len > 19 {
        return None;
    }
    let value = bytes[..len]
        .iter()
        .fold(0_u64, |value, &digit| value.wrapping_mul(10).wrapping_add(u64::from(digit - b'0')));
    Some((value, &bytes[len..]))
}

/// A number without a sign, a fraction or needless zeros.
fn whole(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let (value, rest) = digits(bytes)?;
    let padded = bytes[0] == b'0' && bytes.len() - rest.len() > 1;
    (!padded && !matches!(rest, [b'.' | b'e' | b'E', ..])).then_some((value, rest))
}

/// Powers of ten that a double holds exactly.
const TENS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// A number as JSON writes it, exact far beyond the single precision that curves are kept in.
fn number(bytes: &[u8]) -> Option<(f64, &[u8])> {
    let (negative, begun) = match bytes {
        [b'-', rest @ ..] => (true, rest),
        _ => (false, bytes),
    };
    let (mut mantissa, mut rest) = digits(begun)?;
    if begun[0] == b'0' && begun.len() - rest.len() > 1 {
        return None;
    }
    let mut exponent = 0_i32;
    if let [b'.', fraction @ ..] = rest {
        let (value, after) = digits(fraction)?;
        let places = fraction.len() - after.len();
        mantissa = mantissa.checked_mul(10_u64.checked_pow(places as u32)?)?.checked_add(value)?;
        (exponent, rest) = (-(places as i32), after);
    }
    if let [b'e' | b'E', power @ ..] = rest {
        let (sign, power) = match power {
            [b'-', power @ ..] => (-1, power),
            [b'+', power @ ..] => (1, power),
            _ => (1, power),
        };
        let (value, after) = digits(power)?;
        exponent += sign * i32::try_from(value).ok()?;
        rest = after;
    }
    let ten = *TENS.get(exponent.unsigned_abs() as usize)?;
    let size = if exponent < 0 { mantissa as f64 / ten } else { mantissa as f64 * ten };
    Some((if negative { -size } else { size }, rest))
}
