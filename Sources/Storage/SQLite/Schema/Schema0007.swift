extension Schema {
    /// Imports that are under way, so that one that breaks off is in the audit trail too.
    ///
    /// The table is new: a program of the version before leaves it alone.
    static let schema0007 = """
        CREATE TABLE card_import (
            id TEXT NOT NULL PRIMARY KEY,
            program TEXT NOT NULL,
            actor TEXT NOT NULL,
            touched_at INTEGER NOT NULL,
            imported INTEGER NOT NULL,
            updated INTEGER NOT NULL,
            failed INTEGER NOT NULL,
            digest TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX card_import_by_age ON card_import (touched_at);
        """
}
