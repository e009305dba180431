import Foundation
import PostgreSQL
public import SecretMemory
import Synchronization

/// A PostgreSQL server for tests, in a temporary folder, on a socket there and on a free loopback port.
///
/// It runs as another user where the tests run as root, because it refuses root, and ends with the tests' process, however
/// that ends. Its data need not outlive the machine, so it does not sync.
public final class PostgreSQLServer: Sendable {
    /// The server that the tests of one process share.
    public static var shared: PostgreSQLServer {
        get async throws { try await sharedTask.value }
    }

    private static let sharedTask = Task.detached { try await PostgreSQLServer(template: "") }

    /// Why there is no server.
    public struct Failure: Error, CustomStringConvertible {
        /// A sentence.
        public let description: String
    }

    private static let password = "secret canary/1"

    private let folder: String
    private let port: Int
    private let keeper: Keeper
    private let schemas = Mutex(0)
    private let administration: PostgreSQLPool

    /// Makes a server and starts it.
    public convenience init() async throws {
        try await self.init(template: Self.shared.folder + "/template")
    }

    private init(template: String) async throws {
        let binaries = try Self.binaries()
        let account = try Self.account()
        folder =
            FileManager.default.temporaryDirectory.appending(path: "passgate-pg-\(UUID().uuidString.prefix(8))").path
        port = try Self.freePort()
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try Self.password.write(toFile: folder + "/password", atomically: false, encoding: .utf8)
        if let account {
            for path in [folder, folder + "/password"] {
                try FileManager.default.setAttributes([.ownerAccountName: account], ofItemAtPath: path)
            }
        }
        keeper = try Keeper(account: account, arguments: [folder, binaries, String(port), template])
        guard let address = DatabaseAddress(url: Self.url(folder: folder, port: port, schema: "public")) else {
            throw Failure(description: "the URL is not understood")
        }
        administration = PostgreSQLPool(address)
        try await keeper.tell("start")
    }

    /// Stops the server; every connection breaks.
    public func stop() async throws { try await keeper.tell("stop") }

    /// Has it end as it stands, as a crash does: whatever starts next recovers.
    public func crash() async throws { try await keeper.tell("crash") }

    /// Has every process of it stop where it is; connections stand.
    public func freeze() async throws { try await keeper.tell("freeze") }

    /// Has it go on.
    public func thaw() async throws { try await keeper.tell("thaw") }

    /// Starts it again.
    public func start() async throws { try await keeper.tell("start") }

    /// The URL of a schema that is empty, and that no other test has.
    public func makeSchema() async throws -> SecretText { url(schema: try await makeNamedSchema()) }

    /// The name of such a schema.
    public func makeNamedSchema() async throws -> String {
        let name = "test_\(schemas.withLock { number in number += 1; return number })"
        try await execute("CREATE SCHEMA \(name)")
        return name
    }

    /// Has a statement carried out.
    public func execute(_ sql: String) async throws {
        try await administration.change { $0.execute(sql) }
    }

    /// A URL of the server: through its socket, where its word is enough to be the owner of everything.
    public func url(schema: String = "public") -> SecretText {
        Self.url(folder: folder, port: port, schema: schema)
    }

    private static func url(folder: String, port: Int, schema: String) -> SecretText {
        let host = folder.replacingOccurrences(of: "/", with: "%2F")
        return SecretText("postgres://passgate@\(host):\(port)/postgres?options=-csearch_path%3D\(schema)")
    }

    /// A URL of the server: by its loopback address and a password.
    public func networkURL(password: String? = nil, schema: String = "public") -> SecretText {
        let secret =
            (password ?? Self.password)
            .addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return SecretText("postgres://passgate:\(secret)@localhost:\(port)/postgres?options=-csearch_path%3D\(schema)")
    }

    // MARK: What it needs

    private static func binaries() throws -> String {
        let root = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        guard let newest = versions.compactMap(Int.init).max() else {
            throw Failure(description: "PostgreSQL is not installed; make setup installs it")
        }
        return "\(root)/\(newest)/bin"
    }

    /// The user to run as; nil for oneself.
    private static func account() throws -> String? {
        guard geteuid() == 0 else { return nil }
        let names: [String] = ["postgres", "nobody"]
        guard let name = names.first(where: { name in getpwnam(name) != nil }) else {
            throw Failure(description: "the tests run as root, and there is no other user to run PostgreSQL as")
        }
        return name
    }

    private static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0 ? getsockname(descriptor, pointer, &length) : -1
            }
        }
        guard code == 0 else { throw Failure(description: "no port is free") }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
