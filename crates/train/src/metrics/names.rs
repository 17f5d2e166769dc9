//! The names of all metrics. Those of learning follow CleanRL, so that dashboards fit.

/// Moves a second since the last update.
pub const SPS: &str = "charts/SPS";
/// Adam's step size.
pub const LEARNING_RATE: &str = "charts/learning_rate";
/// The weight of the entropy bonus.
pub const ENTROPY_COEFF: &str = "charts/entropy_coeff";
/// The share of the run that is done.
pub const PROGRESS: &str = "charts/progress";

/// The clipped policy loss.
pub const POLICY_LOSS: &str = "losses/policy_loss";
/// The mean squared error of the values.
pub const VALUE_LOSS: &str = "losses/value_loss";
/// The entropy of the policy over the legal moves.
pub const ENTROPY: &str = "losses/entropy";
/// The divergence from the acting policy, (r − 1) − ln r.
pub const APPROX_KL: &str = "losses/approx_kl";
/// The divergence from the acting policy, −ln r.
pub const OLD_APPROX_KL: &str = "losses/old_approx_kl";
/// The share of ratios outside the clip range.
pub const CLIP_FRACTION: &str = "losses/clipfrac";
/// How much of the variance of the returns the values explain.
pub const EXPLAINED_VARIANCE: &str = "losses/explained_variance";
/// The norm of the gradient before it is clipped.
pub const GRADIENT_NORM: &str = "losses/gradient_norm";
/// The first minibatch's largest distance of a ratio from 1.
pub const FIRST_RATIO_ERROR: &str = "losses/first_ratio_error";
/// The deviation of the advantages before they are normalised.
pub const ADVANTAGE_DEVIATION: &str = "losses/advantage_std";
/// How many minibatches were learned from.
pub const MINIBATCHES: &str = "losses/minibatches";
/// How many minibatches were left out because something was not finite.
pub const NOT_FINITE: &str = "losses/not_finite";
/// The mean of the values.
pub const MEAN_VALUE: &str = "losses/mean_value";

/// The divergence of the network's policy from the one that its teacher's search improves it to.
pub const TEACHER_KL: &str = "teacher/kl";
/// The share of moves that were mates in one, played by the rules.
pub const TEACHER_BY_RULE: &str = "teacher/by_rule";

/// How often the sign of a value was that of the game's result, by the number of moves to the end.
pub const SIGN_ACCURACY: [&str; 3] =
    ["values/sign_accuracy_1_10", "values/sign_accuracy_11_30", "values/sign_accuracy_31_"];

/// How many games ended.
pub const GAMES: &str = "games/count";
/// Their mean number of moves.
pub const LENGTH: &str = "games/length";
/// The share of them with a winner.
pub const DECISIVE_RATE: &str = "games/decisive_rate";
/// The share of them drawn by their rules.
pub const DRAW_RATE: &str = "games/draw_rate";
/// The share of them that were cut off.
pub const TRUNCATION_RATE: &str = "games/truncation_rate";
/// What the side that opens scored: Black in shogi.
pub const BLACK_SCORE: &str = "games/black_score";

/// How many moves before the end of a game episodes are rewound to, at most.
pub const REWIND_DEPTH: &str = "rewind/k";
/// The share of rewound episodes with a winner.
pub const REWIND_DECISIVE: &str = "rewind/decisive_rate";
/// How many finished games are kept, by their last moves.
pub const REWIND_KEPT: &str = "rewind/kept";

/// How many earlier selves there are.
pub const OPPONENTS: &str = "opponents/count";

/// What the network scored against an opponent, by name, with moves drawn from its policy.
pub const EVAL_SCORE: &str = "eval/score_vs_";
/// Ends the name of a score with the likeliest moves.
pub const EVAL_GREEDY: &str = "_greedy";
/// Ends the name of the lower end of a score's interval.
pub const EVAL_LOW: &str = "_low";
/// Ends the name of the upper end of a score's interval.
pub const EVAL_HIGH: &str = "_high";
/// The Elo rating over random play.
pub const EVAL_ELO: &str = "eval/elo";
/// Half the width of its 95 % interval.
pub const EVAL_ELO_ERROR: &str = "eval/elo_err";
/// The share of held-out mates in one that the likeliest move gives.
pub const EVAL_MATE: &str = "eval/mate_in_one";
/// The mean probability that the policy gives a mating move there.
pub const EVAL_MATE_SAMPLED: &str = "eval/mate_in_one_sampled";
/// The share that random moves would give.
pub const EVAL_MATE_CHANCE: &str = "eval/mate_in_one_chance";

/// Seconds since the run began, pauses not counted.
pub const SECONDS: &str = "time/seconds";
/// The share of rollout and update that is the network's arithmetic.
pub const NETWORK_SHARE: &str = "time/network_share";
/// Seconds of the rollout.
pub const ROLLOUT_SECONDS: &str = "time/rollout";
/// Of those, in the network.
pub const ACTING_SECONDS: &str = "time/acting";
/// Seconds of the update.
pub const UPDATE_SECONDS: &str = "time/update";
/// Of those, in the network.
pub const LEARNING_SECONDS: &str = "time/learning";
/// Seconds of evaluations since the update before.
pub const EVALUATION_SECONDS: &str = "time/evaluation";
/// Seconds of writing (log, metrics, checkpoints) since the update before.
pub const WRITING_SECONDS: &str = "time/writing";

/// How many ranks learn together, if they are several.
pub const RANKS: &str = "ranks/count";
/// How many messages rank 0 sent since the update before.
pub const MESSAGES: &str = "ranks/messages";
/// How many bytes they had.
pub const MESSAGE_BYTES: &str = "ranks/bytes";
/// How many seconds rank 0 talked, listened, or waited for others.
pub const MESSAGE_SECONDS: &str = "ranks/seconds";

/// Whether a metric depends on the clock or on how many ranks there are, so that it differs from
/// run to run.
pub fn is_timed(name: &str) -> bool {
    name == SPS || name.starts_with("time/") || name.starts_with("ranks/")
}
