import Provisioning
import Storage
import Testing

@testable import Gateway

@Suite("Repeats go where the first attempt went")
struct RepeatTests {
    let fixture: SwitchFixture

    init() async throws {
        fixture = try SwitchFixture()
        try await fixture.register()
    }

    private func google(_ key: String) -> ProvisionCommand {
        var command = fixture.base.googleCommand()
        command.idempotency = IdempotencyClaim(
            key: IdempotencyKey(program: "rides", route: "POST /v1/cards/card-0001/provisionings", key: key),
            fingerprint: [1])
        return command
    }

    @Test func aRepeatAfterACutOverAsksFromAgainWithTheSameKey() async throws {
        #expect(try await fixture.base.provision(google("one")).connection == "scripted_main")
        try await fixture.open()
        let again = try await fixture.base.provision(google("one"))
        #expect(again.connection == "scripted_main")
        let keys = fixture.base.provider.requests.map(\.idempotencyKey)
        #expect(keys.count == 2 && Set(keys).count == 1)
    }

    @Test func aRepeatAfterARollbackAsksToAgain() async throws {
        let id = try await fixture.open()
        let first = try await fixture.base.provision(fixture.command(key: "one"))
        #expect(first.connection == "next_main")
        try await fixture.take(.rollback, with: id)
        let again = try await fixture.base.provision(fixture.command(key: "one"))
        #expect(again.connection == "next_main" && again.detour == .repeat)
        #expect(Set(fixture.next.requests.map(\.idempotencyKey)).count == 1)
        #expect(try await fixture.base.provision(fixture.command(2, key: "two")).connection == "scripted_main")
    }

    @Test func aRepeatAfterACompletionAsksTheRetiredBinding() async throws {
        #expect(try await fixture.base.provision(google("one")).connection == "scripted_main")
        let id = try await fixture.open()
        try await fixture.take(.complete, with: id)
        let again = try await fixture.base.provision(google("one"))
        #expect(again.connection == "scripted_main" && again.detour == .repeat)
    }

    @Test func aRepeatOfWhatMayHaveHappenedStays() async throws {
        let id = try await fixture.open()
        let timeout = ProvisioningError(.providerTimeout, outcome: .unknown)
        fixture.next.fail(with: timeout, timeout)
        let problem = await fixture.base.problem(try fixture.command(key: "one"))
        #expect(problem?.code == .providerTimeout && problem?.retry == .sameRequest)
        try await fixture.take(.rollback, with: id)
        let again = try await fixture.base.provision(fixture.command(key: "one"))
        #expect(again.connection == "next_main" && again.detour == .repeat)
    }

    @Test func aRepeatOfWhatNeverHappenedIsRoutedAnew() async throws {
        let id = try await fixture.open()
        let unsent = ProvisioningError(.providerUnavailable, outcome: .notSent)
        fixture.next.fail(with: unsent, unsent, unsent)
        let problem = await fixture.base.problem(try fixture.command(key: "one"))
        #expect(problem?.code == .providerUnavailable && problem?.outcome == .notSent)
        try await fixture.take(.rollback, with: id)
        let again = try await fixture.base.provision(fixture.command(key: "one"))
        #expect(again.connection == "scripted_main" && again.detour == nil)
    }

    @Test func aRepeatOfAReplacedBindingIsRoutedAnew() async throws {
        #expect(try await fixture.base.provision(google("one")).connection == "scripted_main")
        _ = try await fixture.gateway.putBinding(
            CardBinding(connection: "scripted_main", providerCardID: "card_new", last4: "0001", network: .visa),
            of: SwitchFixture.card, state: .active, actor: AuditActor(name: "test"))
        let again = try await fixture.base.provision(google("one"))
        #expect(again.providerCardID == "card_new" && again.detour == nil)
    }
}
