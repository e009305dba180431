extension PostgreSQLSchema {
    /// Imports that are under way, so that one that breaks off is in the audit trail too.
    ///
    /// The table is new: a program of the version before leaves it alone.
    static let version0007 = [
        """
        CREATE TABLE card_import (
            id TEXT NOT NULL PRIMARY KEY,
            program TEXT NOT NULL,
            actor TEXT NOT NULL,
            touched_at BIGINT NOT NULL,
            imported BIGINT NOT NULL,
            updated BIGINT NOT NULL,
            failed BIGINT NOT NULL,
            digest TEXT NOT NULL
        )
        """,
        """
        CREATE INDEX card_import_by_age ON card_import (touched_at)
        """,
    ]
}
