/* Preloaded into a command, this library moves the time of day that the command reads: see ShiftedClock.c. */
