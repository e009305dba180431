extension PostgreSQLSchema {
    /// Where events are sent, and what becomes of each on its way.
    ///
    /// All tables are new, and a trigger queues an event in the transaction that writes it: so do the events that a
    /// program of the version before writes beside this one.
    static let version0004 = [
        """
        CREATE TABLE destination (
            number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            program TEXT NOT NULL,
            url TEXT NOT NULL,
            status TEXT NOT NULL,
            secret TEXT NOT NULL,
            former_secret TEXT,
            former_until BIGINT,
            created_at BIGINT NOT NULL,
            updated_at BIGINT NOT NULL
        )
        """,
        """
        CREATE INDEX destination_by_program ON destination (program, number)
        """,
        """
        CREATE TABLE delivery (
            number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            destination BIGINT NOT NULL REFERENCES destination (number) ON DELETE CASCADE,
            event BIGINT NOT NULL REFERENCES event (number) ON DELETE CASCADE,
            status TEXT NOT NULL,
            tries BIGINT NOT NULL DEFAULT 0,
            attempts BYTEA,
            queued_at BIGINT NOT NULL,
            due_at BIGINT,
            lease_holder TEXT,
            lease_until BIGINT,
            UNIQUE (event, destination)
        )
        """,
        """
        CREATE INDEX delivery_by_destination ON delivery (destination, number)
        """,
        """
        CREATE INDEX delivery_due ON delivery (destination, due_at, event) WHERE due_at IS NOT NULL
        """,
        """
        CREATE INDEX delivery_by_age ON delivery (queued_at)
        """,
        """
        CREATE INDEX delivery_held ON delivery (destination) WHERE lease_until IS NOT NULL
        """,
        """
        CREATE FUNCTION event_is_queued() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                INSERT INTO delivery (destination, event, status, queued_at, due_at)
                SELECT number, NEW.number, 'pending', NEW.created_at, NEW.created_at FROM destination
                WHERE program = NEW.program AND status = 'enabled';
                RETURN NULL;
            END $$
        """,
        """
        CREATE TRIGGER event_is_queued AFTER INSERT ON event
            FOR EACH ROW EXECUTE FUNCTION event_is_queued()
        """,
    ]
}
