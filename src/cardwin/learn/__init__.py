"""Rules and thresholds learnt from reward."""
