//! What rollout, search and play see of a network.

/// Positions to be evaluated: observations in their packed form, with their legal actions.
///
/// `P` is the packed observation of a game.
pub trait Evaluator<P>: Send {
    /// Evaluates a batch: `legal[i]` lists the legal actions of `observations[i]`, at least one.
    ///
    /// # Panics
    ///
    /// If the lengths differ or a position has no legal action.
    fn evaluate(&mut self, observations: &[P], legal: &[&[u32]]) -> Vec<Evaluation>;

    /// The same for those who ask often and do the rest themselves: logits instead of
    /// probabilities, in lists that keep their memory.
    fn evaluate_into(&mut self, observations: &[P], legal: &[&[u32]], outputs: &mut Outputs) {
        outputs.clear();
        for Evaluation { value, policy } in self.evaluate(observations, legal) {
            outputs.values.push(value);
            outputs.logits.extend(policy.iter().map(|p| p.max(f32::MIN_POSITIVE).ln()));
        }
    }

    /// Copies for a search, which asks far more often than anybody else and does not need every
    /// digit. They are good until this one learns. Each is asked by a thread of its own: while a GPU
    /// works on the batch of one, those of others are prepared and read. None where nothing is
    /// gained.
    fn searchers(&mut self) -> Vec<Box<dyn Evaluator<P>>> {
        Vec::new()
    }

    /// Whether it says of every position that it is even and that every legal action is equally
    /// likely. Who has many positions need not ask then.
    fn knows_nothing(&self) -> bool {
        false
    }
}

impl<P, E: Evaluator<P> + ?Sized> Evaluator<P> for Box<E> {
    fn evaluate(&mut self, observations: &[P], legal: &[&[u32]]) -> Vec<Evaluation> {
        (**self).evaluate(observations, legal)
    }

    fn evaluate_into(&mut self, observations: &[P], legal: &[&[u32]], outputs: &mut Outputs) {
        (**self).evaluate_into(observations, legal, outputs);
    }

    fn searchers(&mut self) -> Vec<Box<dyn Evaluator<P>>> {
        (**self).searchers()
    }

    fn knows_nothing(&self) -> bool {
        (**self).knows_nothing()
    }
}

/// What a network says of one position.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// How good the position is for the side to move: −1 lost, 1 won.
    pub value: f32,
    /// A probability for each legal action, in the order the actions were given. They sum to 1.
    pub policy: Vec<f32>,
}

/// What a network says of several positions, before any softmax.
#[derive(Clone, Debug, Default)]
pub struct Outputs {
    /// The logits of all legal actions, one position after the other.
    pub logits: Vec<f32>,
    /// The value of each position.
    pub values: Vec<f32>,
}

impl Outputs {
    /// Takes over the logits of each position's legal actions and its value.
    pub(crate) fn take(&mut self, positions: Vec<(Vec<f32>, f32)>) {
        self.clear();
        for (logits, value) in positions {
            self.logits.extend(logits);
            self.values.push(value);
        }
    }

    /// Forgets everything but keeps the memory.
    pub fn clear(&mut self) {
        self.logits.clear();
        self.values.clear();
    }
}

/// Knows nothing: every legal action is equally likely, every position even.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uniform;

impl<P> Evaluator<P> for Uniform {
    fn evaluate(&mut self, observations: &[P], legal: &[&[u32]]) -> Vec<Evaluation> {
        assert_eq!(observations.len(), legal.len(), "one list of legal actions a position");
        let uniform = |actions: &&[u32]| {
            assert!(!actions.is_empty(), "a position has a legal action");
            Evaluation { value: 0.0, policy: vec![1.0 / actions.len() as f32; actions.len()] }
        };
        legal.iter().map(uniform).collect()
    }

    fn knows_nothing(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_uniform_evaluator_prefers_nothing() {
        let evaluations = Uniform.evaluate(&[(), ()], &[&[3, 5, 8, 9], &[0]]);
        assert_eq!(evaluations[0], Evaluation { value: 0.0, policy: vec![0.25; 4] });
        assert_eq!(evaluations[1].policy, [1.0]);
    }
}
