// Facade
