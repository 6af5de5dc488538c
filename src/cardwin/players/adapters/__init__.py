"""Programs that other people wrote, as players: each adapter translates one protocol to views and actions, and back.

`specs` reads their specifications, `adapter` keeps the record of the hand, `programs` starts a program. The adapters
run inside the sandbox with the program, except those for a remote server (`remote`).
"""
