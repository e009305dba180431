import ProviderKit
import Testing

struct NearestNameTests {
    private let known = ["api_key", "base_url", "webhook_secrets", "on"]

    @Test(arguments: [
        ("api_kye", "api_key"), ("apikey", "api_key"), ("base_urls", "base_url"), ("webhook_secret", "webhook_secrets"),
        ("no", "on"), ("api_key", "api_key"),
    ])
    func findsWhatWasMeant(_ name: String, _ meant: String) {
        #expect(NearestName.of(name, among: known) == meant)
    }

    @Test(arguments: ["", "password", "xyz", String(repeating: "a", count: 1_000)])
    func suggestsNothingFarAway(_ name: String) {
        #expect(NearestName.of(name, among: known) == nil)
    }
}
