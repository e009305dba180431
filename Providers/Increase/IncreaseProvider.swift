// Increase
