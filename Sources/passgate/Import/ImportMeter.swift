import Gateway
import Synchronization

/// Shows how far an import has come: a bar on a terminal, and a line now and then elsewhere.
final class ImportMeter: Sendable {
    private static let width = 24

    private struct State {
        var bytes = 0
        var nextAt: ContinuousClock.Instant
    }

    private let console: Console
    private let size: Int?
    private let began = ContinuousClock.now
    private let state: Mutex<State>

    private var interval: Duration { console.progress == nil ? .seconds(10) : .milliseconds(100) }

    /// - Parameter size: How many bytes there are; nil where nobody knows.
    init(_ console: Console, size: Int?) {
        self.console = console
        self.size = size
        state = Mutex(State(nextAt: .now + (console.progress == nil ? .seconds(10) : .milliseconds(100))))
    }

    /// Notes that so many bytes more were read.
    func read(_ bytes: Int) { state.withLock { $0.bytes += bytes } }

    /// Shows what was stored so far, unless something was shown a moment ago.
    func show(_ report: CardImportReport) {
        let now = ContinuousClock.now
        let bytes = state.withLock { state -> Int? in
            guard now >= state.nextAt else { return nil }
            state.nextAt = now + interval
            return state.bytes
        }
        guard let bytes else { return }
        let words = "\(report.lines) lines, \(report.failed) failed, \(rate(report.lines, at: now)) a second"
        guard let progress = console.progress else { return console.error("cards import: \(words)") }
        progress(size.map { "\(Self.bar(bytes, of: $0))  \(words)" } ?? words)
    }

    /// Clears what was shown.
    func end() { console.progress?("") }

    private func rate(_ lines: Int, at now: ContinuousClock.Instant) -> Int {
        Int(Double(lines) / max((now - began) / .seconds(1), 0.001))
    }

    /// `[######------]  50 %`
    static func bar(_ part: Int, of whole: Int) -> String {
        let share = whole > 0 ? min(Double(part) / Double(whole), 1) : 1
        let full = Int(share * Double(width))
        let bar = String(repeating: "#", count: full) + String(repeating: "-", count: width - full)
        let percent = "\(Int(share * 100))"
        return "[\(bar)] \(String(repeating: " ", count: max(3 - percent.count, 0)))\(percent) %"
    }
}
