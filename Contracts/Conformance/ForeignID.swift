/// Ids that no processor makes, and that would do harm in a URL.
enum ForeignID {
    static let all: [String] = [
        "", ".", "..", "/", "../cards/card_1", "card_1/../card_2", "card_1/", "card_1%2f..", "card_1?expand=pan",
        "card_1#", "card 1", "card_1\r\nX-Injected: 1", "card_1\u{0}", "cárd_1", "card_1;v=2", "card_1@host",
        "card_1\\..",
        "//host.example/card_1", "card_" + String(repeating: "a", count: 1000),
    ]
}
