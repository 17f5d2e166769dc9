use super::*;

fn test(elo0: f64, elo1: f64, model: Model) -> Sprt {
    Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model }
}

/// Within a hundredth, as fastchess's own tests compare.
fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 0.01 * (1.0 + expected.abs()), "{found} for {expected}");
}

#[test]
fn the_bounds_of_five_percent_are_the_known_ones() {
    let (lower, upper) = test(0.0, 2.0, Model::Logistic).bounds();
    close(lower, -2.944);
    close(upper, 2.944);
    let (lower, upper) = Sprt { alpha: 0.1, beta: 0.2, ..test(0.0, 2.0, Model::Logistic) }.bounds();
    close(lower, (0.2_f64 / 0.9).ln());
    close(upper, 8.0_f64.ln());
}

#[test]
fn single_games_give_what_fastchess_gives() {
    use Model::{Logistic, Normalized};
    for (elo0, elo1, model, [wins, losses, draws], llr) in [
        (0.0, 2.0, Normalized, [36433, 36027, 68692], 0.92),
        (-1.75, 0.25, Normalized, [10871, 10650, 20431], 2.30),
        (0.5, 2.5, Logistic, [21404, 21184, 40708], -1.57),
        (0.0, 2.0, Logistic, [57433, 57030, 106_593], -2.59),
    ] {
        close(test(elo0, elo1, model).games_llr(Games { wins, draws, losses }), llr);
    }
}

#[test]
fn pairs_give_what_fastchess_gives() {
    use Model::{Logistic, Normalized};
    for (elo0, elo1, model, pairs, llr) in [
        (0.0, 2.0, Normalized, [365, 16618, 36029 + 200, 16974, 390], 2.25),
        (-1.75, 0.25, Normalized, [127, 4883, 10311 + 401, 5150, 104], 3.01),
        (0.5, 2.5, Logistic, [223, 9863, 20279 + 1000, 10037, 246], -3.07),
        (0.0, 2.0, Logistic, [871, 26175, 55003 + 980, 26678, 821], -4.98),
    ] {
        close(test(elo0, elo1, model).pairs_llr(Pairs(pairs)), llr);
    }
}

#[test]
fn the_ratio_of_a_logistic_test_without_draws_is_the_binomial_one() {
    // With wins and losses alone, the hypotheses are two coins.
    let (wins, losses) = (700, 600);
    let (s0, s1) = (score_of_elo(0.0), score_of_elo(20.0));
    let expected = wins as f64 * (s1 / s0).ln() + losses as f64 * ((1.0 - s1) / (1.0 - s0)).ln();
    let found = test(0.0, 20.0, Model::Logistic).games_llr(Games { wins, draws: 0, losses });
    assert!((found - expected).abs() < 1e-2, "{found} {expected}");
}

#[test]
fn results_of_one_kind_are_evidence_all_the_same() {
    let sprt = test(0.0, 5.0, Model::Normalized);
    let won = |pairs| sprt.pairs_llr(Pairs([0, 0, 0, 0, pairs]));
    assert!(0.0 < won(10) && won(10) < won(100) && won(100) < won(1000));
    assert!(sprt.pairs_llr(Pairs([100, 0, 0, 0, 0])) < 0.0);
    assert!(sprt.pairs_llr(Pairs([0, 0, 1000, 0, 0])) < 0.0);
}

#[test]
fn without_games_nothing_is_known() {
    let sprt = test(0.0, 5.0, Model::Normalized);
    assert_eq!(sprt.pairs_llr(Pairs::default()), 0.0);
    assert_eq!(sprt.verdict(0.0), None);
    assert_eq!(sprt.verdict(2.95), Some(Verdict::H1));
    assert_eq!(sprt.verdict(-2.95), Some(Verdict::H0));
}

#[test]
fn tests_are_read_as_fastchess_spells_them() {
    let read = |text: &str| text.parse::<Sprt>();
    assert_eq!(read("elo0=0 elo1=10 alpha=0.05 beta=0.05"), Ok(test(0.0, 10.0, Model::Normalized)));
    assert_eq!(read("elo1=3 elo0=-1 model=logistic"), Ok(test(-1.0, 3.0, Model::Logistic)));
    let message = |text: &str| read(text).unwrap_err().to_string();
    assert!(message("elo2=3").contains("\"elo2=3\" is no setting"));
    assert!(message("alpha=0.7").contains("alpha=0.7 is out of range"));
    assert!(message("elo0=20").contains("elo1=10 is out of range: above elo0"));
    assert!(message("model=bayesian").contains("normalized or logistic"));
    assert!(message("elo0=nan").contains("elo0=nan"));
}
