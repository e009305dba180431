import ProviderKit
import Provisioning

extension Requirement {
    /// The descriptor says what it must, once.
    static func describesItself() -> Self {
        Self("its descriptor is whole and without contradictions") { harness in
            let descriptor = Harness.Provider.descriptor
            try Violation.unless(
                !descriptor.id.isEmpty
                    && descriptor.id.utf8.allSatisfy { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) },
                "the id is not of [a-z0-9]+")
            try Violation.unless(!descriptor.wallets.isEmpty, "it offers no wallet")
            let places = descriptor.wallets.map { "\($0.wallet) \($0.channel)" }
            try Violation.unless(Set(places).count == places.count, "a wallet and channel stand in two rows")
            for id in ForeignID.all {
                try Violation.unless(
                    !descriptor.cardIDPattern.matches(id), "the pattern lets \(id.debugDescription) in")
            }
            for row in descriptor.wallets where row.repeatRule != .never {
                try Violation.unless(row.handshake != .applePay, "a PassKit nonce can never be sent twice")
            }
            let words = (Harness.Provider.self as? any DigitizationVocabulary.Type)?.digitizationStates.keys.sorted()
            for word in words ?? [] {
                try Violation.unless(
                    UpstreamReport(status: nil, code: word).code == word, "the gateway takes no word such as \(word)")
            }
            return .kept
        }
    }

    /// What it lists as the purposes of its credentials is what it has: the gateway goes by the list.
    static func hasTheCredentialsThatItLists(for operation: Operation) -> Self {
        Self("wallet_credentials: it has them for the purposes that it lists, and for no other") { harness in
            if let reason = harness.absence(of: .cardExists, for: operation) { return .notRun(reason) }
            let stage = try await harness.stage(.cardExists, for: operation)
            guard let provider = stage.provider as? any WalletCredentials else { return .kept }
            for purpose in WalletCredentialPurpose.allCases {
                let request = WalletCredentialRequest(
                    purpose: purpose, card: stage.request.card, wallet: stage.request.wallet, token: "token-1",
                    deadline: stage.request.deadline)
                var isUnsupported = false
                do throws(ProvisioningError) { _ = try await provider.credential(request) } catch {
                    isUnsupported = error.code == .operationUnsupported && error.outcome == .notSent
                }
                let isListed = type(of: provider).credentialPurposes.contains(purpose)
                try Violation.unless(
                    isListed != isUnsupported,
                    "\(purpose.rawValue) is \(isListed ? "" : "not ")listed, and \(isUnsupported ? "refused" : "served")"
                )
            }
            return .kept
        }
    }

    /// It calls upstream once and within the deadline, and leaves trying again to the gateway.
    static func callsOnce(for operation: Operation) -> Self {
        Self("\(operation): calls upstream once, in success and in failure") { harness in
            let expected = harness.exchanges(for: operation)
            if let reason = harness.absence(of: .cardExists, for: operation) { return .notRun(reason) }
            for situation in [Situation.cardExists, .htmlBadGateway, .brokenAfterSend, .connectionRefused] {
                if harness.absence(of: situation, for: operation) != nil { continue }
                let stage = try await harness.stage(situation, for: operation)
                _ = await Attempt.make(operation, on: stage)
                let sent = stage.sent()
                let isRight = situation == .cardExists ? sent.count == expected : sent.count <= expected
                try Violation.unless(isRight, "\(situation.rawValue): \(sent.count) exchanges instead of \(expected)")
                try Violation.unless(
                    sent.allSatisfy { $0.deadline <= stage.request.deadline }, "an exchange outlives the deadline")
            }
            return .kept
        }
    }

    /// No id of another form reaches a URL, or anything else upstream.
    static func keepsForeignIDsOut(for operation: Operation) -> Self {
        Self("\(operation): an id of another form is sent nowhere") { harness in
            if harness.exchanges(for: operation) == 0 { return .notRun("the provider answers by itself") }
            for id in ForeignID.all {
                let stage = try await harness.stage(.cardExists, for: operation)
                var request = stage.request
                request.card.providerCardID = id
                let attempt = await Attempt.make(operation, of: request, on: stage)
                guard case .failure(let error) = attempt, error.outcome == .notSent else {
                    throw Violation("\(id.debugDescription): expected a refusal, got \(attempt.summary)")
                }
                try Violation.unless(stage.sent().isEmpty, "\(id.debugDescription): a request was sent")
            }
            return .kept
        }
    }

    /// A request without the handshake that the row asks for is refused before anything is sent.
    static func needsItsHandshake(for operation: Operation) -> Self {
        Self("\(operation): a missing handshake is refused, and nothing is sent") { harness in
            let stage = try await harness.stage(.cardExists, for: operation)
            var request = stage.request
            request.handshake = .none
            let attempt = await Attempt.make(operation, of: request, on: stage)
            guard case .failure(let error) = attempt, error.code == .handshakeInvalid, error.outcome == .notSent else {
                throw Violation("expected handshake_invalid, not_sent, got \(attempt.summary)")
            }
            try Violation.unless(stage.sent().isEmpty, "a request was sent")
            return .kept
        }
    }

    /// Calls may overlap: nothing is shared between them.
    static func bearsOverlap(for operation: Operation) -> Self {
        Self("\(operation): calls may overlap") { harness in
            if let reason = harness.absence(of: .cardExists, for: operation) { return .notRun(reason) }
            let stage = try await harness.stage(.cardExists, for: operation)
            let requests = try (0..<8).map { index in index == 0 ? stage.request : try stage.another() }
            let failures = await withTaskGroup(of: String?.self) { group in
                for request in requests {
                    group.addTask {
                        let attempt = await Attempt.make(operation, of: request, on: stage)
                        if case .failure = attempt { return attempt.summary }
                        return nil
                    }
                }
                return await group.reduce(into: [String]()) { found, failure in
                    if let failure { found.append(failure) }
                }
            }
            try Violation.unless(failures.isEmpty, "of 8 at once, some failed: \(failures)")
            return .kept
        }
    }

    /// A cancelled task ends a call that has not been sent, at once.
    static func stopsWhenCancelled(for operation: Operation) -> Self {
        Self("\(operation): a cancelled call ends at once") { harness in
            if harness.exchanges(for: operation) == 0 { return .notRun("the provider answers by itself") }
            if let reason = harness.absence(of: .silent, for: operation) { return .notRun(reason) }
            let stage = try await harness.stage(.silent, for: operation)
            var request = stage.request
            request.deadline = .now + .seconds(20)
            let latch = Latch()
            let call = Task { [request] in
                latch.close(with: await Attempt.make(operation, of: request, on: stage))
            }
            try await latch.wait(for: .seconds(5)) { !stage.sent().isEmpty || latch.value != nil }
            call.cancel()
            try await latch.wait(for: .seconds(5)) { latch.value != nil }
            guard case .failure(let error) = latch.value, error.outcome == .notSent else {
                throw Violation("expected not_sent at once, got \(latch.value?.summary ?? "no answer in 5 s")")
            }
            return .kept
        }
    }
}
