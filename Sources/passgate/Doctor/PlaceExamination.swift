import EventLoop
import Storage

/// Looks at what this machine gives: the store, the disk under it, the ports. It waits for the disk.
struct PlaceExamination: Sendable {
    /// How much room is a warning, and how much a problem, in bytes.
    private static let room = (warning: 1 << 30, problem: 64 << 20)

    /// From how many milliseconds on the difference of the clocks is told.
    private static let clockLimit: Int64 = 1000

    let configuration: Configuration

    /// Everything that can be said of the store.
    func store() async -> [Finding] {
        switch configuration.store {
        case .sqlite(let path): file(SQLiteFile(path: path))
        case .postgreSQL(let url): await database(PostgreSQLPlace(url: url))
        }
    }

    /// A database that is reached takes changes: libpq is told to look for one that does.
    private func database(_ place: PostgreSQLPlace) async -> [Finding] {
        do throws(StoreFailure) {
            let plan = try await place.plan()
            let ahead = -(try await place.clockOffset { SystemClock().now })
            let clock =
                abs(ahead) < Self.clockLimit
                ? Finding("store", "clock", .fine, "the database's clock and this machine's agree")
                : Finding("store", "clock", .warning, "this machine's clock is \(ahead) ms ahead of the database's")
            return [
                Finding("store", "reach", .fine, "\(place.name) is reached, and takes changes"), schema(plan), clock,
            ]
        } catch {
            return [Finding("store", "reach", .unavailable, "\(place.name) \(error.words)")]
        }
    }

    private func file(_ file: SQLiteFile) -> [Finding] {
        let folder = file.path.lastIndex(of: "/").map { String(file.path[...$0]) } ?? "."
        guard file.exists else {
            let words = "\(file.path) is not there yet: serve creates it"
            return [Finding("store", "schema", .note, words)] + disk(folder)
        }
        return [schema(file), writing(file)] + disk(folder)
    }

    private func schema(_ file: SQLiteFile) -> Finding {
        do throws(StoreFailure) {
            return schema(try file.plan())
        } catch {
            return Finding("store", "schema", .unavailable, "\(file.path) \(error.words)")
        }
    }

    private func schema(_ plan: SchemaPlan) -> Finding {
        if plan.steps.isEmpty { return Finding("store", "schema", .fine, "the schema is version \(plan.found)") }
        if plan.found == 0 { return Finding("store", "schema", .note, "there are no tables yet: serve creates them") }
        let words = "the schema is version \(plan.found): serve, or store migrate, brings it to \(SchemaPlan.known)"
        return Finding("store", "schema", .warning, words)
    }

    private func writing(_ file: SQLiteFile) -> Finding {
        do throws(StoreFailure) {
            try file.checkWritable()
            return Finding("store", "writing", .fine, "it can be written")
        } catch {
            return Finding("store", "writing", .unavailable, "\(file.path) \(error.words)")
        }
    }

    private func disk(_ folder: String) -> [Finding] {
        guard let free = DiskSpace.free(at: folder) else {
            return [Finding("store", "disk", .unavailable, "there is no folder \(folder)")]
        }
        let words = "\(free >> 20) MiB are free"
        let verdict: Finding.Verdict =
            free < Self.room.problem ? .unavailable : free < Self.room.warning ? .warning : .fine
        return [Finding("store", "disk", verdict, words)]
    }

    /// Whether the ports are free, or served by a gateway.
    func ports() async -> [Finding] {
        [
            await port("server.listen", configuration.server.listen, "/healthz"),
            await port("admin.listen", configuration.admin, "/metrics"),
        ]
    }

    private func port(_ subject: String, _ listen: ListenAddress, _ path: String) async -> Finding {
        guard listen.port != 0 else { return Finding(subject, "port", .fine, "\(listen) takes a free port") }
        switch PortProbe.tryPort(host: listen.host, port: listen.port) {
        case .free: return Finding(subject, "port", .fine, "\(listen) is free")
        case .notHere: return Finding(subject, "port", .configuration, "\(listen) is no address of this machine")
        case .forbidden: return Finding(subject, "port", .unavailable, "this user may not listen on \(listen)")
        case .taken:
            let host = "\(listen.nearest)"
            let isOurs = await ReadinessQuestion.status(of: "http://\(host)\(path)", host: host) == 200
            let words = isOurs ? "a gateway listens on \(listen)" : "another program listens on \(listen)"
            return Finding(subject, "port", isOurs ? .fine : .unavailable, words)
        }
    }
}
