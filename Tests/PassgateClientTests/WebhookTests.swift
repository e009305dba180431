import Crypto
import Foundation
import PassgateClient
import SecretMemory
import Testing

/// Deliveries as the gateway signs them, by the vectors that the Standard Webhooks library confirms.
@Suite struct WebhookTests {
    struct Vector: Decodable, CustomTestStringConvertible {
        let name: String
        let secrets: [String]
        let timestamp: Int
        let body: Data
        let headers: [String: String]

        var testDescription: String { name }
    }

    static let vectors =
        (try? JSONDecoder().decode([Vector].self, from: Contract.data("Webhooks/vendor/webhook_vectors.json"))) ?? []

    private func receiver(_ secrets: [String], at seconds: Int) throws -> WebhookReceiver {
        try WebhookReceiver(secrets: secrets, now: { Date(timeIntervalSince1970: Double(seconds)) }) {
            code, message, key in
            let expected = HMACSHA256.code(key: SecretBytes([UInt8](key)), of: [SecretBytes([UInt8](message))])
            return ConstantTime.equals(expected, [UInt8](code))
        }
    }

    /// What a delivery comes to; nil where its event was read.
    private func refusal(
        _ vector: Vector, secrets: [String]? = nil, after seconds: Int = 0, body: Data? = nil,
        changing headers: [String: String?] = [:]
    ) throws -> WebhookRefusal? {
        let fields = vector.headers.merging(headers.compactMapValues(\.self)) { $1 }
            .filter { !headers.keys.contains($0.key) || headers[$0.key] != .some(nil) }
        let receiver = try receiver(secrets ?? vector.secrets, at: vector.timestamp + seconds)
        do throws(WebhookRefusal) { _ = try receiver.receive(body ?? vector.body) { fields[$0] } } catch {
            return error
        }
        return nil
    }

    @Test func thereAreVectors() { #expect(Self.vectors.count > 3) }

    /// The bodies that are no events are genuine all the same.
    @Test(arguments: vectors)
    func aGenuineOneIsTaken(_ vector: Vector) throws {
        let isEvent = String(decoding: vector.body, as: UTF8.self).contains(#""object":"event""#)
        for secrets in [vector.secrets] + vector.secrets.map({ [$0] }) {
            #expect(try refusal(vector, secrets: secrets) == (isEvent ? nil : .unreadable))
        }
        #expect(try refusal(vector, after: 299) == (isEvent ? nil : .unreadable))
    }

    @Test(arguments: vectors)
    func anyOtherIsRefused(_ vector: Vector) throws {
        #expect(try refusal(vector, body: vector.body + Data(" ".utf8)) == .forged)
        #expect(try refusal(vector, secrets: ["whsec_AAAA"]) == .forged)
        #expect(try refusal(vector, after: 301) == .outOfTime)
        #expect(try refusal(vector, after: -301) == .outOfTime)
        #expect(try refusal(vector, changing: ["webhook-id": "evt_2"]) == .forged)
        #expect(try refusal(vector, changing: ["webhook-timestamp": String(vector.timestamp + 1)]) == .forged)
        for name in vector.headers.keys { #expect(try refusal(vector, changing: [name: nil]) == .unsigned) }
        for odd in ["", "v1,", "v1", "v2,AAAA", "v1,not base64", "v1a,AAAA"] {
            let refusal = try refusal(vector, changing: ["webhook-signature": odd])
            #expect(refusal == .forged, "\(odd)")
        }
        #expect(try refusal(vector, changing: ["webhook-timestamp": "soon"]) == .unsigned)
    }

    @Test(arguments: [[], ["whsec_"], ["AAAA"], ["whsec_%%"]])
    func aSecretOfAnotherFormIsToldAtOnce(_ secrets: [String]) {
        #expect(throws: WebhookRefusal.unusableSecret) { try receiver(secrets, at: 0) }
    }
}
