import Foundation

/// The shell that starts and stops a server on command, and ends it when whoever commands is gone.
final class Keeper: Sendable {
    private static let script = #"""
        folder=$1 binaries=$2 port=$3 template=$4
        trap '' INT TERM HUP
        cd "$folder"
        server() { "$binaries/pg_ctl" --silent --wait --pgdata="$folder/data" --log="$folder/log" "$@" >&2; }
        # A data folder is made once, and copied for the other servers.
        make() {
            [ -z "$template" ] || { cp -a "$template" "$folder/data"; return; }
            "$binaries/initdb" --pgdata="$folder/data" --username=passgate --no-sync --auth-local=trust \
                --auth-host=scram-sha-256 --pwfile="$folder/password" --encoding=UTF8 --locale=C.UTF-8 \
                > "$folder/log" 2>&1 && cp -a "$folder/data" "$folder/template"
        }
        # To the server, and all that it has begotten.
        signal() {
            read -r parent < "$folder/data/postmaster.pid"
            for status in /proc/[0-9]*/status; do
                [ "$(sed -n 's/^PPid:\t//p' "$status" 2> /dev/null)" = "$parent" ] || continue
                process=${status#/proc/}
                kill -s "$1" "${process%/status}"
            done
            kill -s "$1" "$parent"
            status=0
        }
        while read -r command; do
            status=0
            case $command in
            start)
                [ -d "$folder/data" ] || make || status=$?
                [ $status = 0 ] && server --options="-k '$folder' -p $port -c listen_addresses=127.0.0.1 \
                    -c fsync=off -c deadlock_timeout=100ms -c max_connections=400 -c shared_buffers=32MB -c max_prepared_transactions=0" start \
                    || status=$?
                ;;
            stop) server --mode=fast stop || status=$? ;;
            freeze) signal STOP || status=$? ;;
            thaw) signal CONT || status=$? ;;
            crash) server --mode=immediate stop || status=$? ;;
            esac
            [ $status = 0 ] || cat "$folder/log" >&2
            echo $status
        done
        [ -f "$folder/data/postmaster.pid" ] && server --mode=immediate stop
        cd /
        rm -rf "$folder"
        """#

    private let process: Process
    private let commands: FileHandle
    private let answers: FileHandle
    private let queue = DispatchQueue(label: "passgate-pg-keeper")

    init(account: String?, arguments: [String]) throws {
        let input = Pipe()
        let output = Pipe()
        process = Process()
        let shell = ["/bin/sh", "-c", Self.script, "keeper"] + arguments
        let command =
            account.map { ["/usr/bin/setpriv", "--reuid=\($0)", "--regid=\($0)", "--clear-groups"] + shell } ?? shell
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst())
        process.standardInput = input
        process.standardOutput = output
        commands = input.fileHandleForWriting
        answers = output.fileHandleForReading
        try process.run()
        try input.fileHandleForReading.close()
        try output.fileHandleForWriting.close()
    }

    deinit { try? commands.close() }

    /// Has a command carried out, and waits for it.
    func tell(_ command: String) async throws {
        let answer = try await withCheckedThrowingContinuation { continuation in
            queue.async { [self] in
                continuation.resume(
                    with: Result {
                        try commands.write(contentsOf: Data("\(command)\n".utf8))
                        return String(decoding: answers.availableData, as: UTF8.self)
                    })
            }
        }
        guard answer == "0\n" else { throw PostgreSQLServer.Failure(description: "PostgreSQL does not \(command)") }
    }
}
