extension PostgreSQLSchema {
    /// What attempts say of the side that served them, the guards of migrations, and what shadows found.
    ///
    /// Attempts that a program of the version before ends leave no observation: guards and reports know none of them.
    static let version0006 = [
        """
        -- What the attempt says of its side, 1 or 0: null where it says nothing, or nothing yet. Observations are counted
        -- from it within the database.
        ALTER TABLE provisioning ADD COLUMN is_handed_off BIGINT
        """,
        """
        ALTER TABLE provisioning ADD COLUMN is_active BIGINT
        """,
        """
        ALTER TABLE provisioning ADD COLUMN is_added BIGINT
        """,
        """
        -- The attempts of a card in a wallet at a connection within an hour, and whether one of them succeeded at each
        -- stage: null where none of them says anything of the side. No migration is an empty text.
        CREATE TABLE observation (
            program TEXT NOT NULL,
            connection TEXT NOT NULL,
            hour BIGINT NOT NULL,
            migration TEXT NOT NULL,
            card TEXT NOT NULL,
            wallet TEXT NOT NULL,
            attempts BIGINT NOT NULL,
            handed_off BIGINT NOT NULL,
            is_handed_off BIGINT,
            is_active BIGINT,
            is_added BIGINT,
            PRIMARY KEY (program, connection, hour, migration, card, wallet)
        )
        """,
        """
        -- The observations of an hour added up, so that a guard and a report cost the same however many there are. Whoever
        -- changes them keeps other transactions from the program's events.
        CREATE TABLE observation_sum (
            program TEXT NOT NULL,
            connection TEXT NOT NULL,
            hour BIGINT NOT NULL,
            migration TEXT NOT NULL,
            attempts BIGINT NOT NULL,
            handed_off BIGINT NOT NULL,
            handoffs_observed BIGINT NOT NULL,
            handoffs BIGINT NOT NULL,
            activations_observed BIGINT NOT NULL,
            activations BIGINT NOT NULL,
            additions_observed BIGINT NOT NULL,
            additions BIGINT NOT NULL,
            PRIMARY KEY (program, connection, hour, migration)
        )
        """,
        """
        CREATE FUNCTION observation_sum_add(one observation, sign BIGINT) RETURNS void LANGUAGE sql AS $$
            INSERT INTO observation_sum AS total VALUES (one.program, one.connection, one.hour, one.migration,
                sign * one.attempts, sign * one.handed_off,
                sign * (one.is_handed_off IS NOT NULL)::int, sign * coalesce(one.is_handed_off, 0),
                sign * (one.is_active IS NOT NULL)::int, sign * coalesce(one.is_active, 0),
                sign * (one.is_added IS NOT NULL)::int, sign * coalesce(one.is_added, 0))
            ON CONFLICT (program, connection, hour, migration) DO UPDATE SET
                attempts = total.attempts + excluded.attempts,
                handed_off = total.handed_off + excluded.handed_off,
                handoffs_observed = total.handoffs_observed + excluded.handoffs_observed,
                handoffs = total.handoffs + excluded.handoffs,
                activations_observed = total.activations_observed + excluded.activations_observed,
                activations = total.activations + excluded.activations,
                additions_observed = total.additions_observed + excluded.additions_observed,
                additions = total.additions + excluded.additions
        $$
        """,
        """
        CREATE FUNCTION observation_is_summed() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                IF TG_OP <> 'INSERT' THEN PERFORM observation_sum_add(OLD, -1); END IF;
                IF TG_OP <> 'DELETE' THEN PERFORM observation_sum_add(NEW, 1); END IF;
                RETURN NULL;
            END
        $$
        """,
        """
        CREATE TRIGGER observation_is_summed AFTER INSERT OR UPDATE OR DELETE ON observation
            FOR EACH ROW EXECUTE FUNCTION observation_is_summed()
        """,
        """
        CREATE FUNCTION observation_goes() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                DELETE FROM observation WHERE program = OLD.program AND connection = OLD.connection
                    AND hour = OLD.created_at / 3600000 AND migration = coalesce(OLD.migration, '')
                    AND card = OLD.card AND wallet = OLD.wallet;
                RETURN NULL;
            END
        $$
        """,
        """
        CREATE TRIGGER observation_goes_with_its_attempts AFTER DELETE ON provisioning
            FOR EACH ROW EXECUTE FUNCTION observation_goes()
        """,
        """
        CREATE TABLE guard_watch (
            migration TEXT PRIMARY KEY,
            -- Which run of looks it is: a guard that has stopped a migration begins anew once it is resumed.
            round BIGINT NOT NULL,
            began_at BIGINT NOT NULL,
            stopped_at BIGINT,
            looked_at BIGINT,
            due_at BIGINT NOT NULL,
            lease_holder TEXT,
            lease_until BIGINT
        )
        """,
        """
        CREATE TABLE guard_look (
            migration TEXT NOT NULL,
            round BIGINT NOT NULL,
            stage TEXT NOT NULL,
            number BIGINT NOT NULL,
            at BIGINT NOT NULL,
            from_observed BIGINT NOT NULL,
            from_succeeded BIGINT NOT NULL,
            to_observed BIGINT NOT NULL,
            to_succeeded BIGINT NOT NULL,
            p_value TEXT NOT NULL,
            level TEXT NOT NULL,
            is_tripped BIGINT NOT NULL,
            PRIMARY KEY (migration, round, stage, number)
        )
        """,
        """
        CREATE TABLE shadow_finding (
            migration TEXT NOT NULL,
            wallet TEXT NOT NULL,
            kind TEXT NOT NULL,
            count BIGINT NOT NULL,
            PRIMARY KEY (migration, wallet, kind)
        )
        """,
        """
        -- By migration and side, for reports.
        DROP INDEX provisioning_by_migration
        """,
        """
        CREATE INDEX provisioning_by_migration ON provisioning (migration, connection, number)
            WHERE migration IS NOT NULL
        """,
        """
        CREATE INDEX provisioning_failed ON provisioning (migration, connection)
            WHERE migration IS NOT NULL AND failure IS NOT NULL
        """,
        """
        CREATE INDEX token_by_connection ON token (connection, status, card)
        """,
    ]
}
