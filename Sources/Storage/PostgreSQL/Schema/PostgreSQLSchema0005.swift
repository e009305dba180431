extension PostgreSQLSchema {
    /// Moves of programs from one connection to another, and what attempts have to do with them.
    ///
    /// A program of the version before leaves the new columns out, and knows no migration: none is to be opened before
    /// every instance is of this version. An event that is no card's has an empty text as its card.
    static let version0005 = [
        """
        CREATE TABLE migration (
            number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            program TEXT NOT NULL,
            source TEXT NOT NULL,
            target TEXT NOT NULL,
            mode TEXT NOT NULL,
            -- Basis points of the cardholders; null where the cohort is a list.
            percent BIGINT,
            cards BIGINT NOT NULL,
            guard_min_attempts BIGINT,
            guard_margin TEXT,
            guard_action TEXT,
            allows_stranded BIGINT NOT NULL,
            status TEXT NOT NULL,
            why TEXT,
            created_at BIGINT NOT NULL,
            updated_at BIGINT NOT NULL,
            advanced_at BIGINT NOT NULL,
            ended_at BIGINT,
            settled_at BIGINT,
            is_in_force BIGINT NOT NULL,
            -- The last card whose bindings a completed migration has changed.
            settled_through BIGINT NOT NULL DEFAULT 0,
            -- Attempts that neither side could serve, for the app build's sake.
            refused_attempts BIGINT NOT NULL DEFAULT 0
        )
        """,
        """
        CREATE UNIQUE INDEX migration_in_force ON migration (program) WHERE is_in_force = 1
        """,
        """
        CREATE INDEX migration_by_program ON migration (program, number)
        """,
        """
        -- The cohort of a migration that goes by a list.
        CREATE TABLE migration_card (
            migration BIGINT NOT NULL REFERENCES migration (number) ON DELETE CASCADE,
            card TEXT NOT NULL,
            PRIMARY KEY (migration, card)
        )
        """,
        """
        ALTER TABLE provisioning ADD COLUMN migration TEXT
        """,
        """
        ALTER TABLE provisioning ADD COLUMN detour TEXT
        """,
        """
        CREATE INDEX provisioning_by_migration ON provisioning (migration) WHERE migration IS NOT NULL
        """,
        """
        DROP VIEW provisioning_record
        """,
        """
        CREATE VIEW provisioning_record AS
            SELECT number, id, program, card, provider, connection, provider_card_id, wallet, channel, origin, handoff,
                status, created_at, updated_at, deadline_at, sent_at, expires_at, failure, attempts, notes, timeline,
                handoff_bytes, handoff_digest, instance, delivered_at, settled_by, settled_at, is_ambiguous,
                token_seen_at, follow_up_at, follow_ups, lease_until, lease_holder, migration, detour
            FROM provisioning
        """,
    ]
}
