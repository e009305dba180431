import Foundation
import Glibc
import Synchronization

/// A run of a command that the tests need beside them: `openssl`, or `nginx`. It ends after a minute whatever happens,
/// so that tests that are broken off leave nothing running.
final class ServerCommand: Sendable {
    private let identifier: pid_t
    private let input: Int32
    private let output: Int32
    private let printed = Mutex("")

    init(_ name: String, _ arguments: [String]) throws {
        var toCommand: [Int32] = [0, 0]
        var fromCommand: [Int32] = [0, 0]
        guard pipe(&toCommand) == 0, pipe(&fromCommand) == 0 else { throw POSIXError(.EMFILE) }
        // Another command must not hold them open.
        for descriptor in toCommand + fromCommand { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, toCommand[0], 0)
        posix_spawn_file_actions_adddup2(&actions, fromCommand[1], 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The threads of the tests block signals, which the command would inherit.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        defer { posix_spawnattr_destroy(&attributes) }
        var words: [UnsafeMutablePointer<CChar>?] = (["timeout", "60", name] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var identifier = pid_t()
        let code = posix_spawnp(&identifier, "timeout", &actions, &attributes, &words, environ)
        close(toCommand[0])
        close(fromCommand[1])
        input = toCommand[1]
        output = fromCommand[0]
        self.identifier = identifier
        guard code == 0 else { throw POSIXError(.ENOENT) }
    }

    /// Runs it to its end.
    static func run(_ name: String, _ arguments: [String]) throws {
        let command = try ServerCommand(name, arguments)
        while command.read() {}
        guard command.wait() == 0 else { throw POSIXError(.EINVAL) }
    }

    /// What it has printed so far.
    var text: String { printed.withLock { $0 } }

    /// Waits for more to be printed; false at the end.
    func read() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(output, &buffer, buffer.count)
        guard count > 0 else { return false }
        printed.withLock { $0 += String(decoding: buffer[..<count], as: UTF8.self) }
        return true
    }

    /// Gives it input.
    func write(_ text: String) { _ = Array(text.utf8).withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) } }

    /// Waits for its end, and gives its status.
    @discardableResult
    func wait() -> Int32 {
        var status: Int32 = 0
        waitpid(identifier, &status, 0)
        close(input)
        close(output)
        return status
    }

    /// Ends it.
    func end() {
        kill(identifier, SIGTERM)
        wait()
    }
}
