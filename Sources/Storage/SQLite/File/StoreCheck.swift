import Provisioning
import SQLite

/// One thing that holds in every store, and how what breaks it is found.
struct StoreCheck: Sendable {
    /// A word for machines.
    let name: String
    /// What holds.
    let promise: String
    /// The version of the schema that it holds from.
    let since: Int
    /// What breaks it, given the version of the schema and the time.
    let find: @Sendable (Database, _ version: Int, _ now: Timestamp) throws -> [String]

    /// How long a spent handshake is kept for certain, in milliseconds: a day, less what clocks may differ by.
    private static let handshakeMemory: Int64 = 23 * 3_600_000

    /// Every check, in an order in which what comes later relies on what came before.
    static let all = [
        StoreCheck(name: "pages", promise: "every page and index is sound", since: 1) { database, _, _ in
            try database.connection.all("PRAGMA integrity_check(100)") { $0.text(0) }.filter { $0 != "ok" }
        },
        StoreCheck(name: "schema", promise: "the schema is what its scripts make", since: 1) { database, version, _ in
            try SchemaObjects(in: database.connection).differences(from: SchemaObjects(ofVersion: version))
        },
        StoreCheck(name: "references", promise: "every reference leads somewhere", since: 1) { database, _, _ in
            try database.connection.all("PRAGMA foreign_key_check") { row in
                "a row of \(row.text(0)) refers to none of \(row.text(2))"
            }
        },
        StoreCheck(name: "bindings", promise: "every card has exactly one active binding", since: 1) { database, _, _ in
            try database.connection.all(
                """
                SELECT program, id, count(binding.number) FROM card
                LEFT JOIN binding ON binding.card = card.number AND state = 'active'
                GROUP BY card.number HAVING count(binding.number) <> 1
                """
            ) { "\($0.text(0))/\($0.text(1)) has \($0.integer(2)) active bindings" }
        },
        StoreCheck(name: "owners", promise: "every binding's id is its card's", since: 1) { database, _, _ in
            try database.connection.all(
                """
                SELECT card.program, card.id, binding.connection FROM binding JOIN card ON card.number = binding.card
                WHERE NOT EXISTS (SELECT 1 FROM provider_card WHERE provider_card.connection = binding.connection
                    AND provider_card.provider_card_id = binding.provider_card_id
                    AND provider_card.card = binding.card AND replaced_at IS NULL)
                """
            ) { "\($0.text(0))/\($0.text(1)) at \($0.text(2)) has an id that is another's, or former" }
        },
        StoreCheck(
            name: "handshakes", promise: "the handshake of every Apple Pay attempt of the last day is spent", since: 1
        ) { database, _, now in
            try database.connection.all(
                """
                SELECT id FROM provisioning
                WHERE handoff = 'apple_pay_pass' AND status <> 'refused' AND created_at > ?1
                AND NOT EXISTS (SELECT 1 FROM spent_handshake WHERE spent_handshake.provisioning = provisioning.id)
                """, .integer(now.milliseconds - handshakeMemory)
            ) { "\($0.text(0)) was reserved without its handshake" }
        },
        StoreCheck(name: "events", promise: "no event is ahead of its card's sequence", since: 3) { database, _, _ in
            try database.connection.all(
                """
                SELECT event.program, event.card, max(event.sequence), ifnull(max(last), 0) AS counted
                FROM event LEFT JOIN event_sequence USING (program, card) GROUP BY 1, 2
                HAVING max(event.sequence) > counted
                """
            ) { "\($0.text(0))/\($0.text(1)) has event \($0.integer(2)), and counted \($0.integer(3))" }
        },
        StoreCheck(name: "deliveries", promise: "every delivery that waits is due some time", since: 4) {
            database, _, _ in
            try database.connection.all(
                """
                SELECT event.id, destination.id FROM delivery JOIN event ON event.number = delivery.event
                JOIN destination ON destination.number = delivery.destination
                WHERE delivery.status = 'pending' AND due_at IS NULL
                """
            ) { "\($0.text(0)) waits for \($0.text(1)), and will never be sent" }
        },
        StoreCheck(name: "audit", promise: "every audit trail is whole", since: 1) { database, _, _ in
            try database.audit.heads().map(\.program).flatMap { program in
                try database.verifyTrail(of: program).findings.map { "\(program): \($0.place): \($0.fault.words)" }
            }
        },
    ]
}

extension Database {
    /// Reads a program's whole trail, a part at a time.
    fileprivate func verifyTrail(of program: String) throws -> AuditReport {
        var verifier = AuditVerifier(chain, program: program)
        // Not 0: somebody may have put entries in before the first.
        var last = Int64.min
        while true {
            let entries = try audit.entries(program: program, after: last, limit: 500)
            for entry in entries { verifier.take(entry) }
            guard let end = entries.last else { return verifier.finish() }
            last = end.sequence
        }
    }
}
