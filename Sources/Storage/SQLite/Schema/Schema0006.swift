extension Schema {
    /// What attempts say of the side that served them, the guards of migrations, and what shadows found.
    ///
    /// Attempts that a program of the version before ends leave no observation: guards and reports know none of them.
    static let schema0006 = """
        -- The attempts of a card in a wallet at a connection within an hour, and whether one of them succeeded at each
        -- stage: null where none of them says anything of the side. No migration is an empty text.
        CREATE TABLE observation (
            program TEXT NOT NULL,
            connection TEXT NOT NULL,
            hour INTEGER NOT NULL,
            migration TEXT NOT NULL,
            card TEXT NOT NULL,
            wallet TEXT NOT NULL,
            attempts INTEGER NOT NULL,
            handed_off INTEGER NOT NULL,
            is_handed_off INTEGER,
            is_active INTEGER,
            is_added INTEGER,
            PRIMARY KEY (program, connection, hour, migration, card, wallet)
        ) STRICT, WITHOUT ROWID;

        -- The observations of an hour added up, so that a guard and a report cost the same however many there are.
        CREATE TABLE observation_sum (
            program TEXT NOT NULL,
            connection TEXT NOT NULL,
            hour INTEGER NOT NULL,
            migration TEXT NOT NULL,
            attempts INTEGER NOT NULL,
            handed_off INTEGER NOT NULL,
            handoffs_observed INTEGER NOT NULL,
            handoffs INTEGER NOT NULL,
            activations_observed INTEGER NOT NULL,
            activations INTEGER NOT NULL,
            additions_observed INTEGER NOT NULL,
            additions INTEGER NOT NULL,
            PRIMARY KEY (program, connection, hour, migration)
        ) STRICT, WITHOUT ROWID;
        CREATE TRIGGER observation_is_added AFTER INSERT ON observation BEGIN
            INSERT INTO observation_sum VALUES (NEW.program, NEW.connection, NEW.hour, NEW.migration,
                NEW.attempts, NEW.handed_off,
                (NEW.is_handed_off IS NOT NULL), ifnull(NEW.is_handed_off, 0),
                (NEW.is_active IS NOT NULL), ifnull(NEW.is_active, 0),
                (NEW.is_added IS NOT NULL), ifnull(NEW.is_added, 0))
            ON CONFLICT DO UPDATE SET
                attempts = attempts + excluded.attempts,
                handed_off = handed_off + excluded.handed_off,
                handoffs_observed = handoffs_observed + excluded.handoffs_observed,
                handoffs = handoffs + excluded.handoffs,
                activations_observed = activations_observed + excluded.activations_observed,
                activations = activations + excluded.activations,
                additions_observed = additions_observed + excluded.additions_observed,
                additions = additions + excluded.additions;
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
                additions = additions + ifnull(NEW.is_added, 0) - ifnull(OLD.is_added, 0)
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
                additions = additions - ifnull(OLD.is_added, 0)
            WHERE program = OLD.program AND connection = OLD.connection AND hour = OLD.hour
                AND migration = OLD.migration;
        END;

        CREATE TRIGGER observation_goes_with_its_attempts AFTER DELETE ON provisioning BEGIN
            DELETE FROM observation WHERE program = OLD.program AND connection = OLD.connection
                AND hour = OLD.created_at / 3600000 AND migration = ifnull(OLD.migration, '') AND card = OLD.card
                AND wallet = OLD.wallet;
        END;

        CREATE TABLE guard_watch (
            migration TEXT PRIMARY KEY,
            -- Which run of looks it is: a guard that has stopped a migration begins anew once it is resumed.
            round INTEGER NOT NULL,
            began_at INTEGER NOT NULL,
            stopped_at INTEGER,
            looked_at INTEGER,
            due_at INTEGER NOT NULL,
            lease_holder TEXT,
            lease_until INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE guard_look (
            migration TEXT NOT NULL,
            round INTEGER NOT NULL,
            stage TEXT NOT NULL,
            number INTEGER NOT NULL,
            at INTEGER NOT NULL,
            from_observed INTEGER NOT NULL,
            from_succeeded INTEGER NOT NULL,
            to_observed INTEGER NOT NULL,
            to_succeeded INTEGER NOT NULL,
            p_value TEXT NOT NULL,
            level TEXT NOT NULL,
            is_tripped INTEGER NOT NULL,
            PRIMARY KEY (migration, round, stage, number)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE shadow_finding (
            migration TEXT NOT NULL,
            wallet TEXT NOT NULL,
            kind TEXT NOT NULL,
            count INTEGER NOT NULL,
            PRIMARY KEY (migration, wallet, kind)
        ) STRICT, WITHOUT ROWID;

        -- By migration and side, for reports.
        DROP INDEX provisioning_by_migration;
        CREATE INDEX provisioning_by_migration ON provisioning (migration, connection) WHERE migration IS NOT NULL;
        CREATE INDEX provisioning_failed ON provisioning (migration, connection)
            WHERE migration IS NOT NULL AND failure IS NOT NULL;
        CREATE INDEX token_by_connection ON token (connection, status, card);
        """
}
