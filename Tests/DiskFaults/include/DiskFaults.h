/* Preloaded into a command, this library lets the disk under its store fail: see DiskFaults.c. */
