"""Versions of XCS, and the tables of opponents that they meet: a specification per seat."""

from cardwin.players.xcs.encoding import SEEN

Table = tuple[str, ...]
CALLER: Table = ("call",)
RANDOM: Table = ("random",)
SIMPLE = (CALLER, RANDOM)
LOKIS: tuple[Table, ...] = (("loki:model=none",), ("loki:model=generic",), ("loki:model=specific",))
TEACHER = LOKIS[0]
STANDARD: Table = ("standard",)
DOUBTING: Table = ("loki:model=specific,doubts=on",)
TRUSTING: Table = ("loki:model=specific,doubts=off",)
NAMES = {CALLER: "Caller", RANDOM: "Random", LOKIS[0]: "Loki, no model", LOKIS[1]: "Loki, generic",
         LOKIS[2]: "Loki, specific", STANDARD: "Chen's Standard", DOUBTING: "specific Loki with doubts",
         TRUSTING: "specific Loki without doubts"}  # fmt: skip
AGAINST_LOKI = "Loki"  # the name of trainings against Loki without a model, each the mean over three judges
WITH_BLUFF = "+".join((*SEEN, "bluff"))
WITH_COUNTERS = "+".join((*SEEN, "counters"))
VERSIONS = {
    "plain": "xcs:coding=binary",
    "bit-spread": "xcs",
    "two predictions": "xcs:coding=binary,predictions=2",
    "register": "xcs:coding=binary,register_bits=1",
    "bluff counter": f"xcs:coding=binary,see={WITH_BLUFF}",
    "all four": f"xcs:predictions=2,register_bits=1,see={WITH_BLUFF}",
    "all but two predictions": f"xcs:register_bits=1,see={WITH_BLUFF}",
}
# The literature's settings for problems without noise, on bit-spreads.
LITERATURE = "xcs:nu=5,P_hash=0.33,theta_GA=25,mu=0.04,N=2000,tau=0,beta=0.2,do_action_set_subsumption=1"
WITHOUT_GENERALISATION = "xcs:P_hash=0,theta_GA=1e12,N=200000"  # a table with a row per situation: Q-learning
