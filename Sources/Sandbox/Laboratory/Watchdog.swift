import Foundation

/// Ends a child process when this process dies without having done so: killed, or crashed.
///
/// A shell waits on a pipe whose other end only this process holds. When the kernel closes that end, the shell sends
/// SIGTERM to the child, and SIGKILL where that was not enough.
final class Watchdog: Sendable {
    private let shell: Process
    private let pipe: Pipe

    /// It is told the child's id and how many seconds that has, and looks every second whether it is still needed.
    private static let script = """
        read -r line
        kill -TERM "$0" || exit
        left=$1
        while [ "$left" -gt 0 ]; do
            sleep 1
            kill -0 "$0" || exit
            left=$((left - 1))
        done
        kill -KILL "$0"
        """

    /// Watches over the process of that id, which gets some seconds to end in good order; nil where there is no shell.
    init?(over id: Int32, grace: Int = 10) {
        let shell = Process()
        let pipe = Pipe()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", Self.script, String(id), String(grace)]
        shell.standardInput = pipe
        shell.standardOutput = FileHandle.nullDevice
        shell.standardError = FileHandle.nullDevice
        guard (try? shell.run()) != nil else { return nil }
        self.shell = shell
        self.pipe = pipe
    }

    /// Ends the watch: the child has ended, and its id may soon be somebody else's. By SIGKILL, because a child may
    /// inherit that other signals are blocked.
    func dismiss() { if shell.isRunning { kill(shell.processIdentifier, SIGKILL) } }

    /// Does what this process's death would do.
    func bite() { try? pipe.fileHandleForWriting.close() }
}
