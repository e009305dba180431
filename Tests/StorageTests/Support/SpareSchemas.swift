import PostgreSQLServer
import Synchronization

/// Schemas of the tests' PostgreSQL that are emptied and used again: to make one takes longer than most tests.
enum SpareSchemas {
    private static let names = Mutex<[String]>([])

    /// Runs `body` on a store that is empty. Where it fails, its schema is not used again.
    static func with(_ body: (PostgreSQLUnderTest) async throws -> Void) async throws {
        let server = try await PostgreSQLServer.shared
        var name = names.withLock { $0.popLast() }
        if name == nil { name = try await server.makeNamedSchema() }
        guard let name else { return }
        let test = PostgreSQLUnderTest(url: server.url(schema: name))
        do { try await body(test) } catch {
            await test.close()
            throw error
        }
        await test.close()
        try await server.execute(emptying(name))
        names.withLock { $0.append(name) }
    }

    /// Deletes every row but those that a new schema has, and begins all numbers anew, without the triggers that keep a
    /// trail from being changed.
    private static func emptying(_ schema: String) -> String {
        """
        DO $$
        DECLARE name text;
        BEGIN
            SET LOCAL session_replication_role = replica;
            FOR name IN SELECT format('%I.%I', schemaname, tablename) FROM pg_tables WHERE schemaname = '\(schema)'
                AND tablename NOT IN ('passgate_schema', 'health', 'api_key_generation')
            LOOP
                EXECUTE 'DELETE FROM ' || name;
            END LOOP;
            FOR name IN SELECT format('%I.%I', schemaname, sequencename) FROM pg_sequences
                WHERE schemaname = '\(schema)'
            LOOP
                PERFORM setval(name, 1, false);
            END LOOP;
            UPDATE \(schema).api_key_generation SET generation = 0;
        END
        $$
        """
    }
}
