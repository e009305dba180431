extension PostgreSQLSchema {
    /// How many cards came into a wallet without a token that is known to be active, how many attempts breakers turned
    /// away, and the keys of calls whose end nobody may come to know.
    ///
    /// A program of the version before neither reads nor writes any of it: the function keeps the sums, and attempts that
    /// it makes have no key here.
    static let version0009 = [
        """
        -- Observations that others are writing are waited for: all are added up, by one function or the other.
        LOCK TABLE observation IN SHARE ROW EXCLUSIVE MODE
        """,
        """
        ALTER TABLE observation_sum ADD COLUMN awaited BIGINT NOT NULL DEFAULT 0
        """,
        """
        CREATE OR REPLACE FUNCTION observation_sum_add(one observation, sign BIGINT) RETURNS void LANGUAGE sql AS $$
            INSERT INTO observation_sum AS total VALUES (one.program, one.connection, one.hour, one.migration,
                sign * one.attempts, sign * one.handed_off,
                sign * (one.is_handed_off IS NOT NULL)::int, sign * coalesce(one.is_handed_off, 0),
                sign * (one.is_active IS NOT NULL)::int, sign * coalesce(one.is_active, 0),
                sign * (one.is_added IS NOT NULL)::int, sign * coalesce(one.is_added, 0),
                sign * (one.is_added IS NOT DISTINCT FROM 1 AND one.is_active IS NULL)::int)
            ON CONFLICT (program, connection, hour, migration) DO UPDATE SET
                attempts = total.attempts + excluded.attempts,
                handed_off = total.handed_off + excluded.handed_off,
                handoffs_observed = total.handoffs_observed + excluded.handoffs_observed,
                handoffs = total.handoffs + excluded.handoffs,
                activations_observed = total.activations_observed + excluded.activations_observed,
                activations = total.activations + excluded.activations,
                additions_observed = total.additions_observed + excluded.additions_observed,
                additions = total.additions + excluded.additions,
                awaited = total.awaited + excluded.awaited
        $$
        """,
        """
        UPDATE observation_sum total SET awaited = (SELECT count(*) FROM observation one
            WHERE one.program = total.program AND one.connection = total.connection AND one.hour = total.hour
                AND one.migration = total.migration AND one.is_added = 1 AND one.is_active IS NULL)
        """,
        """
        CREATE TABLE left_alone (
            migration TEXT NOT NULL,
            connection TEXT NOT NULL,
            count BIGINT NOT NULL,
            PRIMARY KEY (migration, connection)
        )
        """,
        """
        ALTER TABLE idempotency ADD COLUMN upstream_key TEXT
        """,
        """
        ALTER TABLE idempotency ADD COLUMN upstream_key_at BIGINT
        """,
    ]
}
