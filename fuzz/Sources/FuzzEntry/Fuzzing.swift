public import FuzzTargets
import Glibc
import Synchronization

/// Puts one target before libFuzzer, which stops at the trap of a promise that did not hold.
public final class Fuzzing: Sendable {
    private static let made = Mutex<Fuzzing?>(nil)

    private let thread = CallingThread()
    private let check: FuzzTarget.Check

    /// The target, made ready by the first call. A process has one.
    public static func shared(_ target: FuzzTarget) -> Fuzzing {
        made.withLock { made in
            if let made { return made }
            let fuzzing = Fuzzing(target)
            made = fuzzing
            return fuzzing
        }
    }

    private init(_ target: FuzzTarget) {
        let thread = thread
        let ready = Ready()
        thread.run {
            do { ready.set(try await target.prepare()) } catch {
                print("\(target.name) could not be made ready: \(error)")
            }
        }
        guard let check = ready.check else { exit(1) }
        self.check = check
    }

    /// Looks at an input of libFuzzer's, which may not be kept.
    public func run(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
        let input = Array(UnsafeBufferPointer(start: bytes, count: count))
        let check = check
        thread.run {
            do throws(BrokenPromise) { try await check(input) } catch {
                fatalError("broken promise: \(error)")
            }
        }
        return 0
    }
}

/// What the making of a target gives, carried out of its task.
private final class Ready: Sendable {
    private let made = Mutex<FuzzTarget.Check?>(nil)

    var check: FuzzTarget.Check? { made.withLock { $0 } }

    func set(_ check: @escaping FuzzTarget.Check) { made.withLock { $0 = check } }
}
