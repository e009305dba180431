extension PostgreSQLSchema {
    /// Tokens, webhooks that came, and normalised events.
    ///
    /// All tables are new: a program of the version before leaves them alone, and a card that it erases takes its tokens
    /// with it.
    static let version0003 = [
        """
        CREATE TABLE token (
            number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            card BIGINT NOT NULL REFERENCES card (number) ON DELETE CASCADE,
            provider TEXT NOT NULL,
            connection TEXT NOT NULL,
            provider_card_id TEXT NOT NULL,
            provider_token_id TEXT NOT NULL,
            wallet TEXT,
            status TEXT NOT NULL,
            raw_status TEXT NOT NULL,
            made_at BIGINT,
            precision BIGINT NOT NULL,
            last4 TEXT,
            network_reference TEXT,
            device_kind TEXT,
            device_name TEXT,
            observed_at BIGINT NOT NULL,
            created_at BIGINT NOT NULL,
            updated_at BIGINT NOT NULL,
            UNIQUE (connection, provider_token_id)
        )
        """,
        """
        CREATE INDEX token_by_card ON token (card, number)
        """,
        """
        CREATE VIEW token_record AS
            SELECT token.number, token.id, card.program, card.id AS card, token.provider, token.connection,
                token.provider_card_id, provider_token_id, token.wallet, token.status, raw_status, made_at, precision,
                last4, network_reference, device_kind, device_name, observed_at, token.created_at, token.updated_at,
                provisioning.id AS provisioning
            FROM token JOIN card ON card.number = token.card
            LEFT JOIN attributed_token
                ON attributed_token.connection = token.connection AND attributed_token.token = provider_token_id
            LEFT JOIN provisioning ON provisioning.number = attributed_token.provisioning
        """,
        """
        -- Webhooks that came: the key keeps an event from being applied twice. The body goes once it was read.
        CREATE TABLE inbound (
            number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            connection TEXT NOT NULL,
            key TEXT NOT NULL,
            word TEXT,
            received_at BIGINT NOT NULL,
            occurred_at BIGINT,
            ended_at BIGINT,
            outcome TEXT,
            provider_card_id TEXT,
            provider_token_id TEXT,
            body TEXT,
            tries BIGINT NOT NULL DEFAULT 0,
            due_at BIGINT,
            lease_holder TEXT,
            lease_until BIGINT,
            UNIQUE (connection, key)
        )
        """,
        """
        CREATE INDEX inbound_due ON inbound (due_at) WHERE due_at IS NOT NULL
        """,
        """
        CREATE TABLE event (
            number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            program TEXT NOT NULL,
            card TEXT NOT NULL,
            sequence BIGINT NOT NULL,
            type TEXT NOT NULL,
            created_at BIGINT NOT NULL,
            members BYTEA NOT NULL
        )
        """,
        """
        CREATE INDEX event_by_program ON event (program, number)
        """,
        """
        CREATE INDEX event_by_card ON event (program, card, number)
        """,
        """
        -- The last sequence number of each card: it goes on when old events are dropped, and when a card is made anew.
        CREATE TABLE event_sequence (
            program TEXT NOT NULL,
            card TEXT NOT NULL,
            last BIGINT NOT NULL,
            PRIMARY KEY (program, card)
        )
        """,
    ]
}
