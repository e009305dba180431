extension Schema {
    /// Where events are sent, and what becomes of each on its way.
    ///
    /// All tables are new, and a trigger queues an event in the transaction that writes it: so do the events that a
    /// program of the version before writes beside this one.
    static let schema0004 = """
        CREATE TABLE destination (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            program TEXT NOT NULL,
            url TEXT NOT NULL,
            status TEXT NOT NULL,
            secret TEXT NOT NULL,
            former_secret TEXT,
            former_until INTEGER,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX destination_by_program ON destination (program);

        CREATE TABLE delivery (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            destination INTEGER NOT NULL REFERENCES destination (number) ON DELETE CASCADE,
            event INTEGER NOT NULL REFERENCES event (number) ON DELETE CASCADE,
            status TEXT NOT NULL,
            tries INTEGER NOT NULL DEFAULT 0,
            attempts BLOB,
            queued_at INTEGER NOT NULL,
            due_at INTEGER,
            lease_holder TEXT,
            lease_until INTEGER,
            UNIQUE (event, destination)
        ) STRICT;
        CREATE INDEX delivery_by_destination ON delivery (destination, status);
        CREATE INDEX delivery_due ON delivery (destination, due_at, event) WHERE due_at IS NOT NULL;
        CREATE INDEX delivery_by_age ON delivery (queued_at);
        CREATE INDEX delivery_held ON delivery (destination) WHERE lease_until IS NOT NULL;

        CREATE TRIGGER event_is_queued AFTER INSERT ON event BEGIN
            INSERT INTO delivery (destination, event, status, queued_at, due_at)
            SELECT number, NEW.number, 'pending', NEW.created_at, NEW.created_at FROM destination
            WHERE program = NEW.program AND status = 'enabled';
        END;
        """
}
