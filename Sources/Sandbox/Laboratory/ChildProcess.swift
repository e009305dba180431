public import Foundation
import Synchronization

/// A command of ours in a process of its own, its output in files. It is ended with this process, however that ends.
public final class ChildProcess: Sendable {
    /// The process's id.
    public let id: Int32
    /// Where its standard output goes.
    public let outputFile: URL
    /// Where its standard error goes.
    public let errorFile: URL
    private let process: Process
    private let ending = Ending()

    /// How it ended, once it has, and who watches over it until then.
    private final class Ending: Sendable {
        private let state = Mutex(State())

        private struct State {
            var status: Int32?
            var watchdog: Watchdog?
        }

        var status: Int32? { state.withLock { $0.status } }

        func end(with status: Int32) {
            let watchdog = state.withLock { state in
                state.status = status
                return state.watchdog.take()
            }
            watchdog?.dismiss()
        }

        func watch(with watchdog: Watchdog?) {
            let isLate = state.withLock { state in
                if state.status == nil { state.watchdog = watchdog }
                return state.status != nil
            }
            if isLate { watchdog?.dismiss() }
        }
    }

    /// Starts the command in the folder, which takes its output as well.
    ///
    /// - Throws: ``LaboratoryFailure`` where the command cannot be started.
    public init(command: URL, arguments: [String], in folder: URL) throws {
        outputFile = folder.appending(path: "\(command.lastPathComponent).out")
        errorFile = folder.appending(path: "\(command.lastPathComponent).err")
        let process = Process()
        process.executableURL = command
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try Self.create(outputFile)
        process.standardError = try Self.create(errorFile)
        let ending = self.ending
        process.terminationHandler = { process in
            let isKilled = process.terminationReason == .uncaughtSignal
            ending.end(with: isKilled ? -process.terminationStatus : process.terminationStatus)
        }
        do { try process.run() } catch {
            throw LaboratoryFailure("\(command.path) cannot be started")
        }
        self.process = process
        id = process.processIdentifier
        ending.watch(with: Watchdog(over: id))
    }

    /// Whether it still runs.
    public var isRunning: Bool { process.isRunning }

    /// Asks it to finish what it has begun and to end: SIGTERM.
    public func drain() { if process.isRunning { kill(id, SIGTERM) } }

    /// Sends it any signal.
    public func signal(_ number: Int32) { if process.isRunning { kill(id, number) } }

    /// Waits until it has ended: its exit status, a negative signal number, or nil where the time is over.
    public func exit(within limit: Duration) async -> Int32? {
        let end = ContinuousClock.now + limit
        while true {
            if let status = ending.status { return status }
            if ContinuousClock.now >= end { return nil }
            try? await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Ends it for certain.
    public func stop() async {
        drain()
        if await exit(within: .seconds(10)) == nil { signal(SIGKILL) }
    }

    /// What it wrote to standard output so far, as text.
    public var output: String { (try? String(contentsOf: outputFile, encoding: .utf8)) ?? "" }

    /// What it wrote so far, both streams.
    public var written: Data {
        ((try? Data(contentsOf: outputFile)) ?? Data()) + ((try? Data(contentsOf: errorFile)) ?? Data())
    }

    private static func create(_ file: URL) throws -> FileHandle {
        guard FileManager.default.createFile(atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw LaboratoryFailure("\(file.path) cannot be written") }
        return try FileHandle(forWritingTo: file)
    }
}
