//! The mate solver: never a mate that is none, never none where there is one.

mod agreement;
mod check;
mod naive;
mod problems;
mod proof;
mod random;
mod rules;
mod slices;
mod suite;
