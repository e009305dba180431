import ProviderKit
import Provisioning
import SecretMemory
import Testing

@Suite("What may stand in a URL")
struct BaseURLTests {
    @Test(arguments: [
        ("https://api.acme.example", "https://api.acme.example", "api.acme.example"),
        ("https://API.acme.example:8443/v1//", "https://API.acme.example:8443/v1", "api.acme.example"),
        ("http://[::1]:80/x", "http://[::1]:80/x", "[::1]"),
    ])
    func aBaseIsReadAndItsEndSlashesDropped(_ text: String, _ whole: String, _ host: String) {
        #expect(BaseURL(text)?.description == whole)
        #expect(BaseURL(text)?.host == host)
    }

    @Test(arguments: [
        "", "api.acme.example", "ftp://x", "https://", "https:///path", "https://user@host", "https://u:p@host/",
        "https://host?x=1", "https://host#x", "https://host:0", "https://host:65536", "https://host:", "https://ho st",
        "https://host\n", "https://host\\x", "https://hôst", "https://host/../x", "https://host/./x", "https://[::1",
        "https://[]", "https://{prefix}.example", "HTTPS://host", "https://host.", "https://host.:443/x",
        "https://a..example",
        "https://.example", "http://localhost.", "https://.",
    ])
    func aBaseOfAnotherFormIsRefused(_ text: String) {
        #expect(BaseURL(text) == nil)
    }

    @Test(arguments: [
        ("http://localhost", true), ("http://LOCALHOST:80", true), ("http://127.0.0.1", true),
        ("http://127.9.8.7", true),
        ("http://[::1]", true), ("http://127.0.0.1.example", false), ("http://127.1", false),
        ("http://10.0.0.1", false),
        ("http://localhost.example", false), ("http://127.0.0.256", false),
    ])
    func loopbackIsThisMachineAlone(_ text: String, _ isLoopback: Bool) {
        #expect(BaseURL(text)?.isLoopback == isLoopback)
    }

    @Test func aSegmentHasMatchedItsPattern() {
        let pattern = IdentifierPattern.prefixed(["ic_"], .alphanumeric, length: 1...8)
        #expect(PathSegment("ic_Ab9", matching: pattern)?.description == "ic_Ab9")
        #expect(PathSegment("ic_../x", matching: pattern) == nil)
    }

    @Test func everythingReservedIsEscaped() {
        #expect(PercentEncoding.encode("a/b?c#d e%é~.-_") == "a%2Fb%3Fc%23d%20e%25%C3%A9~.-_")
    }

    @Test func basicCredentialsAreEncoded() {
        let header = UpstreamRequest.Header.basic(user: SecretText("Aladdin"), password: SecretText("open sesame"))
        #expect(header.value.reveal() == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
    }
}
