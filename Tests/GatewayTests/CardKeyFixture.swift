import Storage

/// Invented cards for tests.
enum CardKeyFixture {
    static let card = CardKey(program: "rides", id: "card-0001")
}
