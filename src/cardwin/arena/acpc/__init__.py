"""Tables of the Annual Computer Poker Competition: our own dealer, and our players at other dealers."""
