// emulator
