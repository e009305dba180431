import ProviderKit
import ProviderTesting
import Provisioning
import SecretMemory
import Testing
import ThalesProvider

@Suite("Codes that Thales's SDK needs beside provisioning")
struct ThalesCredentialTests {
    private func credential(
        _ purpose: WalletCredentialPurpose, token: String?, wallet: Wallet?
    ) async throws -> WalletCredential {
        try await ThalesHarness.provider().credential(
            WalletCredentialRequest(
                purpose: purpose, card: ThalesHarness.card, wallet: wallet, token: token, deadline: .now + .seconds(5)))
    }

    @Test(arguments: [(Wallet.applePay, "APPLE_PAY"), (.googlePay, "GOOGLE_PAY"), (.samsungPay, "SAMSUNG_PAY")])
    func aCodeThatActivatesSpeaksForTheToken(_ wallet: Wallet, _ audience: String) async throws {
        let credential = try await credential(.activate, token: "DNITHE3023.token=1", wallet: wallet)
        let code = try SignedCode(credential.token)
        #expect(code.claims["sub"]?.string == "DNITHE3023.token=1" && code.claims["aud"]?.string == audience)
        #expect(credential.purpose == .activate)
        #expect(credential.expiresAt == ThalesHarness.clock.now.adding(milliseconds: 300_000))
    }

    @Test(arguments: [WalletCredentialPurpose.session, .state])
    func thereIsNoCodeForAnotherPurpose(_ purpose: WalletCredentialPurpose) async {
        await #expect(throws: ProvisioningError(.operationUnsupported, outcome: .notSent)) {
            try await credential(purpose, token: "token-1", wallet: .applePay)
        }
    }

    @Test(
        arguments: [
            (nil, .applePay, "/token"), ("", .applePay, "/token"), ("to ken", .applePay, "/token"),
            ("tokén", .applePay, "/token"), (String(repeating: "t", count: 129), .applePay, "/token"),
            ("token-1", nil, "/wallet"),
        ] as [(String?, Wallet?, String)])
    func whatIsMissingIsTold(_ token: String?, _ wallet: Wallet?, _ pointer: String) async {
        do {
            _ = try await credential(.activate, token: token, wallet: wallet)
            Issue.record("no failure")
        } catch let error as ProvisioningError {
            #expect(error.code == .invalidRequest && error.pointer == pointer && error.outcome == .notSent)
        } catch {
            Issue.record("another failure")
        }
    }
}
