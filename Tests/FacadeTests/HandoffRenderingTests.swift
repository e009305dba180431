import JSON
import ProviderKit
import Provisioning
import SecretMemory
import Testing

@testable import Facade

/// The handoffs as an app reads them.
@Suite struct HandoffRenderingTests {
    private func pass(_ key: ApplePayPass.Key) throws -> JSONView {
        let pass = ApplePayPass(
            activationData: SecretBytes([1, 2, 3]), encryptedPassData: SecretBytes([4, 5, 6]), key: key,
            encryptionVersion: nil)
        var json = JSONWriter()
        json.handoff(.applePayPass(pass))
        return try JSONParser().parse(json.finish()).root
    }

    @Test("H12: a wrapped key never stands in the ephemeral key's member, nor the other way round")
    func keepsTheTwoKindsOfKeyApart() throws {
        let wrapped = try pass(.wrappedKey(SecretBytes([7, 8, 9])))
        #expect(wrapped["wrapped_key"]?.string == "BwgJ")
        #expect(wrapped["ephemeral_public_key"] == nil)
        let ephemeral = try pass(.ephemeralPublicKey(SecretBytes([7, 8, 9])))
        #expect(ephemeral["ephemeral_public_key"]?.string == "BwgJ")
        #expect(ephemeral["wrapped_key"] == nil)
    }
}
