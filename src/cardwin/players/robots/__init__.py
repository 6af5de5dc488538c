"""Rule-based players: the static ones, the robots of Chen (2018), and matrix players."""
