"""XCS, a learning classifier system for limit hold'em and for problems with known answers."""
