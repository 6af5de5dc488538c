"""The web page: its data comes from /api. It computes nothing itself; large packages are imported on use."""
