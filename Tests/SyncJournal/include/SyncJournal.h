/* Preloaded into a command, this library journals what the command writes, syncs and sends: see SyncJournal.c. */
