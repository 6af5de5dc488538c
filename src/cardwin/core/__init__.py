"""What every package uses: random streams, the compiler, executors, files, errors, and the protocol of a trainer."""
