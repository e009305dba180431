import Foundation

/// Time and chance, for tests that have neither.
struct Pace: Sendable {
    var now: @Sendable () -> ContinuousClock.Instant = { .now }
    var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    var jitter: @Sendable () -> Double = { Double.random(in: 0...1) }
    var makeKey: @Sendable () -> String = { UUID().uuidString.lowercased() }
}
