extension PostgreSQLSchema {
    /// What becomes of attempts after their answer: tokens, device reports, and when to follow up.
    ///
    /// Every column may be left out by a program of the version before.
    static let version0002 = [
        """
        ALTER TABLE provisioning ADD COLUMN delivered_at BIGINT
        """,
        """
        ALTER TABLE provisioning ADD COLUMN settled_by TEXT
        """,
        """
        ALTER TABLE provisioning ADD COLUMN settled_at BIGINT
        """,
        """
        ALTER TABLE provisioning ADD COLUMN is_ambiguous BIGINT NOT NULL DEFAULT 0
        """,
        """
        ALTER TABLE provisioning ADD COLUMN token_seen_at BIGINT
        """,
        """
        ALTER TABLE provisioning ADD COLUMN follow_up_at BIGINT
        """,
        """
        ALTER TABLE provisioning ADD COLUMN follow_ups BIGINT NOT NULL DEFAULT 0
        """,
        """
        ALTER TABLE provisioning ADD COLUMN lease_holder TEXT
        """,
        """
        ALTER TABLE provisioning ADD COLUMN lease_until BIGINT
        """,
        """
        CREATE INDEX provisioning_to_follow_up ON provisioning (follow_up_at) WHERE follow_up_at IS NOT NULL
        """,
        """
        UPDATE provisioning SET delivered_at = updated_at WHERE status = 'handed_off'
        """,
        """
        UPDATE provisioning SET sent_at = created_at WHERE status = 'unknown' AND sent_at IS NULL
        """,
        """
        UPDATE provisioning SET follow_up_at = updated_at WHERE status IN ('unknown', 'handed_off', 'undelivered')
        """,
        """
        -- Which attempt each token of a processor came from: one at most.
        CREATE TABLE attributed_token (
            connection TEXT NOT NULL,
            token TEXT NOT NULL,
            provisioning BIGINT NOT NULL REFERENCES provisioning (number) ON DELETE CASCADE,
            PRIMARY KEY (connection, token)
        )
        """,
        """
        CREATE INDEX attributed_token_by_provisioning ON attributed_token (provisioning)
        """,
        """
        CREATE VIEW provisioning_record AS
            SELECT number, id, program, card, provider, connection, provider_card_id, wallet, channel, origin, handoff,
                status, created_at, updated_at, deadline_at, sent_at, expires_at, failure, attempts, notes, timeline,
                handoff_bytes, handoff_digest, instance, delivered_at, settled_by, settled_at, is_ambiguous,
                token_seen_at, follow_up_at, follow_ups, lease_until, lease_holder
            FROM provisioning
        """,
    ]
}
