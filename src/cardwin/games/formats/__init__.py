"""Hand histories as other programs write them: PHH and the logs of the ACPC dealer."""
