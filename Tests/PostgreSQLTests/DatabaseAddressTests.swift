import PostgreSQL
import SecretMemory
import Testing

struct DatabaseAddressTests {
    @Test(arguments: [
        "postgres://user:p%40ss@db.example:5433/passgate?sslmode=verify-full&sslrootcert=/ca.pem",
        "postgresql://db.example/passgate", "postgres://user@%2Frun%2Fpostgresql/passgate",
        "postgres://a,b:5433/passgate", "postgres:///passgate",
    ])
    func whatLibpqUnderstandsIsTaken(_ text: String) {
        #expect(DatabaseAddress(url: SecretText(text)) != nil)
    }

    @Test(arguments: [
        "", "passgate", "host=db dbname=passgate", "mysql://db/passgate", "postgres://db/passgate?nonsense=1",
        "postgres://user:%zz@db/passgate", "postgres://[::1/passgate",
    ])
    func whatLibpqDoesNotUnderstandIsNot(_ text: String) {
        #expect(DatabaseAddress(url: SecretText(text)) == nil)
    }

    @Test func aSummaryNamesNoUserAndNoPassword() throws {
        let url = SecretText("postgres://someone:canary@db.example/passgate?sslpassword=canary")
        let address = try #require(DatabaseAddress(url: url))
        #expect(address.summary == "db.example/passgate")
        #expect(!"\(address)".contains("canary"))
    }
}
