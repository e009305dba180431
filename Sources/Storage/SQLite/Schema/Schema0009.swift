extension Schema {
    /// How many cards came into a wallet without a token that is known to be active, how many attempts breakers turned
    /// away, and the keys of calls whose end nobody may come to know.
    ///
    /// A program of the version before neither reads nor writes any of it: triggers keep the sums, and attempts that it
    /// makes have no key here.
    static let schema0009 = """
        ALTER TABLE observation_sum ADD COLUMN awaited INTEGER NOT NULL DEFAULT 0;
        UPDATE observation_sum SET awaited = (SELECT count(*) FROM observation AS one
            WHERE one.program = observation_sum.program AND one.connection = observation_sum.connection
                AND one.hour = observation_sum.hour AND one.migration = observation_sum.migration
                AND one.is_added = 1 AND one.is_active IS NULL);

        DROP TRIGGER observation_is_added;
        DROP TRIGGER observation_is_changed;
        DROP TRIGGER observation_is_dropped;
        CREATE TRIGGER observation_is_added AFTER INSERT ON observation BEGIN
            INSERT INTO observation_sum VALUES (NEW.program, NEW.connection, NEW.hour, NEW.migration,
                NEW.attempts, NEW.handed_off,
                (NEW.is_handed_off IS NOT NULL), ifnull(NEW.is_handed_off, 0),
                (NEW.is_active IS NOT NULL), ifnull(NEW.is_active, 0),
                (NEW.is_added IS NOT NULL), ifnull(NEW.is_added, 0),
                (NEW.is_added IS 1 AND NEW.is_active IS NULL))
            ON CONFLICT DO UPDATE SET
                attempts = attempts + excluded.attempts,
                handed_off = handed_off + excluded.handed_off,
                handoffs_observed = handoffs_observed + excluded.handoffs_observed,
                handoffs = handoffs + excluded.handoffs,
                activations_observed = activations_observed + excluded.activations_observed,
                activations = activations + excluded.activations,
                additions_observed = additions_observed + excluded.additions_observed,
                additions = additions + excluded.additions,
                awaited = awaited + excluded.awaited;
        END;
        CREATE TRIGGER observation_is_changed AFTER UPDATE ON observation BEGIN
            UPDATE observation_sum SET
                attempts = attempts + NEW.attempts - OLD.attempts,
                handed_off = handed_off + NEW.handed_off - OLD.handed_off,
                handoffs_observed = handoffs_observed + (NEW.is_handed_off IS NOT NULL)
                    - (OLD.is_handed_off IS NOT NULL),
                handoffs = handoffs + ifnull(NEW.is_handed_off, 0) - ifnull(OLD.is_handed_off, 0),
                activations_observed = activations_observed + (NEW.is_active IS NOT NULL) - (OLD.is_active IS NOT NULL),
                activations = activations + ifnull(NEW.is_active, 0) - ifnull(OLD.is_active, 0),
                additions_observed = additions_observed + (NEW.is_added IS NOT NULL) - (OLD.is_added IS NOT NULL),
                additions = additions + ifnull(NEW.is_added, 0) - ifnull(OLD.is_added, 0),
                awaited = awaited + (NEW.is_added IS 1 AND NEW.is_active IS NULL)
                    - (OLD.is_added IS 1 AND OLD.is_active IS NULL)
            WHERE program = NEW.program AND connection = NEW.connection AND hour = NEW.hour
                AND migration = NEW.migration;
        END;
        CREATE TRIGGER observation_is_dropped AFTER DELETE ON observation BEGIN
            UPDATE observation_sum SET
                attempts = attempts - OLD.attempts,
                handed_off = handed_off - OLD.handed_off,
                handoffs_observed = handoffs_observed - (OLD.is_handed_off IS NOT NULL),
                handoffs = handoffs - ifnull(OLD.is_handed_off, 0),
                activations_observed = activations_observed - (OLD.is_active IS NOT NULL),
                activations = activations - ifnull(OLD.is_active, 0),
                additions_observed = additions_observed - (OLD.is_added IS NOT NULL),
                additions = additions - ifnull(OLD.is_added, 0),
                awaited = awaited - (OLD.is_added IS 1 AND OLD.is_active IS NULL)
            WHERE program = OLD.program AND connection = OLD.connection AND hour = OLD.hour
                AND migration = OLD.migration;
        END;

        CREATE TABLE left_alone (
            migration TEXT NOT NULL,
            connection TEXT NOT NULL,
            count INTEGER NOT NULL,
            PRIMARY KEY (migration, connection)
        ) STRICT, WITHOUT ROWID;

        ALTER TABLE idempotency ADD COLUMN upstream_key TEXT;
        ALTER TABLE idempotency ADD COLUMN upstream_key_at INTEGER;
        """
}
