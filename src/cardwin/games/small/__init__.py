"""Small games with exact answers: Kuhn poker and its variants, Leduc hold'em, one-card poker."""
