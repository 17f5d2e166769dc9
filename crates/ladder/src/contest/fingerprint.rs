//! What a player is made of, as far as its name does not say: a file and a number that tells its
//! contents from others.

/// The identity of a player that plays with the file `name`.
pub fn identity(name: &str, bytes: &[u8]) -> String {
    format!("{name} {:016x}", fingerprint(bytes))
}

/// Whether two identities have the same contents, whatever their files are called.
pub(super) fn same_contents(one: &str, two: &str) -> bool {
    let number = |identity: &str| identity.rsplit(' ').next().map(str::to_owned);
    number(one) == number(two)
}

/// The 64-bit FNV-1a hash of `bytes`, the same in every version of this program.
pub(super) fn fingerprint(bytes: &[u8]) -> u64 {
    let mix = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, mix)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_values_are_met() {
        assert_eq!(fingerprint(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fingerprint(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fingerprint(b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn a_file_that_was_moved_is_the_same_and_one_that_was_changed_is_not() {
        let before = identity("old folder/a.safetensors", b"weights");
        assert!(same_contents(&before, &identity("b.safetensors", b"weights")));
        assert!(!same_contents(&before, &identity("old folder/a.safetensors", b"other")));
        assert!(!same_contents(&before, ""));
        assert!(same_contents("", ""));
    }
}
