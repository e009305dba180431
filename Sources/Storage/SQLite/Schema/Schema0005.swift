extension Schema {
    /// Moves of programs from one connection to another, and what attempts have to do with them.
    ///
    /// A program of the version before leaves the new columns out, and knows no migration: none is to be opened before
    /// every instance is of this version. An event that is no card's has an empty text as its card.
    static let schema0005 = """
        CREATE TABLE migration (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            program TEXT NOT NULL,
            source TEXT NOT NULL,
            target TEXT NOT NULL,
            mode TEXT NOT NULL,
            -- Basis points of the cardholders; null where the cohort is a list.
            percent INTEGER,
            cards INTEGER NOT NULL,
            guard_min_attempts INTEGER,
            guard_margin TEXT,
            guard_action TEXT,
            allows_stranded INTEGER NOT NULL,
            status TEXT NOT NULL,
            why TEXT,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            advanced_at INTEGER NOT NULL,
            ended_at INTEGER,
            settled_at INTEGER,
            is_in_force INTEGER NOT NULL,
            -- The last card whose bindings a completed migration has changed.
            settled_through INTEGER NOT NULL DEFAULT 0,
            -- Attempts that neither side could serve, for the app build's sake.
            refused_attempts INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE UNIQUE INDEX migration_in_force ON migration (program) WHERE is_in_force = 1;
        CREATE INDEX migration_by_program ON migration (program);

        -- The cohort of a migration that goes by a list.
        CREATE TABLE migration_card (
            migration INTEGER NOT NULL REFERENCES migration (number) ON DELETE CASCADE,
            card TEXT NOT NULL,
            PRIMARY KEY (migration, card)
        ) STRICT, WITHOUT ROWID;

        ALTER TABLE provisioning ADD COLUMN migration TEXT;
        ALTER TABLE provisioning ADD COLUMN detour TEXT;
        CREATE INDEX provisioning_by_migration ON provisioning (migration) WHERE migration IS NOT NULL;

        DROP VIEW provisioning_record;
        CREATE VIEW provisioning_record AS
            SELECT number, id, program, card, provider, connection, provider_card_id, wallet, channel, origin, handoff,
                status, created_at, updated_at, deadline_at, sent_at, expires_at, failure, attempts, notes, timeline,
                handoff_bytes, handoff_digest, instance, delivered_at, settled_by, settled_at, is_ambiguous,
                token_seen_at, follow_up_at, follow_ups, lease_until, lease_holder, migration, detour
            FROM provisioning;
        """
}
