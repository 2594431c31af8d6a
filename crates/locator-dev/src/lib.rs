//! Grammar to automaton to test set.
