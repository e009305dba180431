import Provisioning
import SQLite

/// The single-use handshakes that were spent.
struct HandshakeTable {
    let connection: Connection

    /// Spends a handshake for an attempt. False where it was spent before and is still remembered.
    func spend(
        _ digest: [UInt8], program: String, by provisioning: String, until expiresAt: Timestamp, at now: Timestamp
    ) throws -> Bool {
        func insert() throws -> Bool {
            try connection.run(
                """
                INSERT INTO spent_handshake (program, digest, provisioning, expires_at) VALUES (?, ?, ?, ?)
                ON CONFLICT (program, digest) DO NOTHING
                """, .text(program), .bytes(digest), .text(provisioning), .integer(expiresAt.milliseconds)) == 1
        }
        if try insert() { return true }
        let hadExpired = try connection.run(
            "DELETE FROM spent_handshake WHERE program = ? AND digest = ? AND expires_at <= ?", .text(program),
            .bytes(digest), .integer(now.milliseconds))
        return try hadExpired == 1 && insert()
    }

    /// Whether a handshake was spent and is still remembered.
    func isSpent(_ digest: [UInt8], program: String, at now: Timestamp) throws -> Bool {
        try connection.first(
            "SELECT 1 FROM spent_handshake WHERE program = ? AND digest = ? AND expires_at > ?", .text(program),
            .bytes(digest), .integer(now.milliseconds)
        ) { _ in true } ?? false
    }

    /// Gives a handshake back that this very attempt spent.
    func release(_ digest: [UInt8], program: String, by provisioning: String) throws {
        try connection.run(
            "DELETE FROM spent_handshake WHERE program = ? AND digest = ? AND provisioning = ?", .text(program),
            .bytes(digest), .text(provisioning))
    }

    /// Forgets some that have outlived their time, the oldest first, and answers how many.
    func dropExpired(at now: Timestamp, atMost limit: Int) throws -> Int {
        try connection.run(
            """
            DELETE FROM spent_handshake WHERE expires_at <= ?1
            AND number IN (SELECT number FROM spent_handshake ORDER BY number LIMIT ?2)
            """, .integer(now.milliseconds), .integer(Int64(limit)))
    }
}
