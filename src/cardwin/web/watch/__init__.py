"""What a person watches of a run as it evolves: a map of its members, the line of its champions, the hall."""
