import ProviderKit

/// One line of the demo's table: an attempt, and how it went.
struct DemoRow {
    let wallet: String
    let channel: String
    let processor: String
    /// The provisioning's status, or a problem's status and code.
    let status: String
    let milliseconds: Int
    /// What the device says about it.
    let device: String
    /// Whether it went as it should.
    let isAsExpected: Bool

    var cells: [String] {
        [
            Self.words[wallet] ?? wallet, Self.words[channel] ?? channel, processor, status, String(milliseconds),
            isAsExpected ? device : "FAILED: \(device)",
        ]
    }

    func write(into json: inout JSONWriter) {
        json.object { json in
            json.member("wallet", wallet)
            json.member("channel", channel)
            json.member("processor", processor)
            json.member("status", status)
            json.member("milliseconds", milliseconds)
            json.member("device", device)
            json.member("as_expected", isAsExpected)
        }
    }

    private static let words = [
        "apple_pay": "Apple Pay", "google_pay": "Google Pay", "in_app": "in app", "web": "web",
    ]
}
