public import Foundation

extension Cohort {
    /// A cardholder's place in a migration, from 0 to 9999: in a cohort of P percent when it is below P × 100.
    ///
    /// - Parameter sha256: The SHA-256 of bytes: CryptoKit's or swift-crypto's `Data(SHA256.hash(data: $0))`.
    public static func bucket(
        ofCardholder cardholder: String, inMigration migration: String, sha256: (Data) -> Data
    ) -> Int {
        let digest = sha256(Data(migration.utf8) + [0] + Data(cardholder.utf8))
        return Int(digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 10_000)
    }
}
