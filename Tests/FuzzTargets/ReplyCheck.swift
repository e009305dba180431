import ProviderConformance
import ProviderKit
import Provisioning
import SecretMemory

/// A processor's answer: a line with the processor and the status, header fields, an empty line, the body. It is given to
/// every call that the adapter makes.
struct ReplyCheck: Sendable {
    private let transport = OneReply()
    private let adapters: [String: any ConfigurableProvider]

    init() throws { adapters = try AdapterBench().adapters(over: transport) }

    func check(_ input: [UInt8]) async throws(BrokenPromise) {
        let parts = SplitInput(input)
        guard parts.words.count == 2, let adapter = adapters[String(parts.words[0])], let status = Int(parts.words[1]),
            (200...599).contains(status)
        else { return }
        let reply = UpstreamResponse(status: status, headers: parts.fields, body: SecretBytes(parts.body))
        for call in Self.calls(of: adapter) {
            transport.set(reply)
            var failure: ProvisioningError?
            do throws(ProvisioningError) { try await call.make() } catch { failure = error }
            try promise(transport.calls <= OneReply.callLimit, "\(call.name): no end of calls")
            if let failure {
                try Self.check(failure, reply, call.name)
                continue
            }
            let isSuccess = (200...299).contains(status) || transport.calls == 0 || call.takesRefusals
            try promise(isSuccess, "\(call.name): \(status) is a success")
        }
    }

    private static func check(_ error: ProvisioningError, _ reply: UpstreamResponse, _ call: String)
        throws(BrokenPromise)
    {
        let texts = [error.detail, error.reason, error.pointer, error.upstream?.code].compactMap(\.self)
        for text in texts {
            // The processor's own words for what happened are passed on; nothing else is.
            if text == error.upstream?.code || text == error.reason {
                try promise(UpstreamReport.isWord(text), "\(call): passes on what is no word")
            } else {
                let echo = Echo.find(of: reply.body.reveal(), in: text)
                try promise(echo == nil, "\(call): an error quotes \(echo ?? "")")
            }
        }
        if let wait = error.retryAfter { try promise(wait >= .zero, "\(call): a wait of \(wait)") }
        // A token can be missing from an answer that is as it should be.
        let isTold = error.outcome == .notSent || error.upstream?.status != nil || error.code == .tokenNotFound
        try promise(isTold, "\(call): \(error.code.rawValue) without the status")
    }

    private struct Call {
        let name: String
        /// That the processor says no can be what was hoped for.
        var takesRefusals = false
        let make: () async throws(ProvisioningError) -> Void
    }

    private static func calls(of adapter: any ConfigurableProvider) -> [Call] {
        let card = AdapterBench.card(at: type(of: adapter).descriptor.id)
        let deadline = ContinuousClock.now + .seconds(5)
        var calls: [Call] = []
        for row in type(of: adapter).descriptor.wallets {
            calls.append(
                Call(name: "provision \(row.wallet.rawValue) \(row.channel.rawValue)") { () throws(ProvisioningError) in
                    _ = try await adapter.provision(SampleRequest.make(for: row, card: card, deadline: deadline))
                })
            calls.append(
                Call(name: "eligibility \(row.wallet.rawValue)") { () throws(ProvisioningError) in
                    _ = try await adapter.eligibility(of: card, wallet: row.wallet, deadline: deadline)
                })
        }
        if let adapter = adapter as? any CardOwnership {
            calls.append(
                Call(name: "ownership") { () throws(ProvisioningError) in
                    _ = try await adapter.cardholderID(of: card, deadline: deadline)
                })
        }
        if let adapter = adapter as? any CredentialCheck, adapter.credentialQuestion != nil {
            calls.append(
                Call(name: "credential check", takesRefusals: true) { () throws(ProvisioningError) in
                    try await adapter.checkCredentials(deadline: deadline)
                })
        }
        return calls + tokenCalls(of: adapter, card, deadline) + credentialCalls(of: adapter, card, deadline)
    }

    private static func tokenCalls(
        of adapter: any ConfigurableProvider, _ card: CardBinding, _ deadline: ContinuousClock.Instant
    ) -> [Call] {
        var calls: [Call] = []
        if let adapter = adapter as? any OutcomeProbe {
            calls.append(
                Call(name: "probe") { () throws(ProvisioningError) in
                    _ = try await adapter.tokens(
                        of: card, createdFrom: Timestamp(seconds: 1_700_000_000), deadline: deadline)
                })
        }
        if let adapter = adapter as? any TokenDirectory {
            calls.append(
                Call(name: "tokens") { () throws(ProvisioningError) in
                    _ = try await adapter.tokens(of: card, deadline: deadline)
                })
            calls.append(
                Call(name: "token") { () throws(ProvisioningError) in
                    _ = try await adapter.token(sampleToken(of: adapter), of: card, deadline: deadline)
                })
        }
        if let adapter = adapter as? any TokenLifecycle {
            for change in TokenChange.allCases {
                calls.append(
                    Call(name: change.rawValue) { () throws(ProvisioningError) in
                        _ = try await adapter.change(
                            sampleToken(of: adapter), of: card, by: change, idempotencyKey: "key_1", deadline: deadline)
                    })
            }
        }
        return calls
    }

    private static func credentialCalls(
        of adapter: any ConfigurableProvider, _ card: CardBinding, _ deadline: ContinuousClock.Instant
    ) -> [Call] {
        guard let adapter = adapter as? any WalletCredentials else { return [] }
        let token = (adapter as? any TokenDirectory).map(sampleToken)
        return type(of: adapter).credentialPurposes.map { purpose in
            Call(name: "credential \(purpose.rawValue)") { () throws(ProvisioningError) in
                _ = try await adapter.credential(
                    WalletCredentialRequest(
                        purpose: purpose, card: card, wallet: .applePay, token: token, deadline: deadline))
            }
        }
    }

    /// A token's id that the adapter takes.
    private static func sampleToken(of adapter: any TokenDirectory) -> String {
        let ids = [
            "digital_wallet_token_izi62go3h51p369jrie0", "intok_1Invented", "crd_fa6psq242dcd6fdn5gifcq1491",
            "3F0C2D1A-9B7E-4C55-8A21-6D0E94B7F312", "dcr_5ngxzsynm2me3oxf73esbhda6q", "token-0001",
        ]
        return ids.first { type(of: adapter).tokenIDPattern.matches($0) } ?? ids[0]
    }
}
