import Provisioning
import Testing

@testable import Storage

@Suite("Who serves a card")
struct CardRoutingTests {
    private typealias State = StoredBinding.State

    private static let states: [State?] = [nil, .active, .standby, .retired]

    /// Every set of bindings at `from`, `to` and a third connection with one active at most.
    private static let everyBindings: [[StoredBinding]] = states.flatMap { from in
        states.flatMap { to in
            states.compactMap { other in
                guard [from, to, other].count(where: { $0 == .active }) <= 1 else { return nil }
                let third = CardBinding(connection: "imprint_main", providerCardID: "c", last4: "1", network: .visa)
                return [
                    from.map { StoredBinding(card: .increase("card_a"), state: $0) },
                    to.map { StoredBinding(card: .stripe("ic_a"), state: $0) },
                    other.map { StoredBinding(card: third, state: $0) },
                ].compactMap(\.self)
            }
        }
    }

    /// No migration, and every kind of one.
    private static let everyMigration: [CardMigration?] =
        [nil]
        + StoredMigration.Mode.allCases.flatMap { mode in
            [false, true].map { CardMigration.sample(mode: mode, isInCohort: $0) }
        } + [.sample(isCompleted: true)]

    @Test func theRuleHoldsForEveryStateModeAndBinding() {
        for bindings in Self.everyBindings {
            let active = bindings.first { $0.state == .active }
            let target = bindings.first { $0.card.connection == "stripe_us" && $0.state != .retired }
            for migration in Self.everyMigration {
                let isLed = migration?.mode == .live && migration?.isInCohort == true && target != nil
                #expect(CardRouting.serving(bindings, in: migration) == (isLed ? target : active))
            }
        }
    }

    @Test func theOtherSideIsUsableAndDoesNotServe() {
        for bindings in Self.everyBindings {
            for migration in Self.everyMigration {
                guard let other = CardRouting.otherSide(bindings, in: migration) else { continue }
                #expect(migration?.mode == .live && migration?.isCompleted == false)
                #expect(other.state.isUsable && other != CardRouting.serving(bindings, in: migration))
                let sides = [CardRouting.serving(bindings, in: migration), other].compactMap { $0?.card.connection }
                #expect(sides.contains("stripe_us"))
            }
        }
    }

    @Test func aCardOfBothSidesHasAnOtherSideInALiveMigration() throws {
        let both = [
            StoredBinding(card: .increase("card_a")), StoredBinding(card: .stripe("ic_a"), state: .standby),
        ]
        #expect(CardRouting.otherSide(both, in: .sample())?.card == .increase("card_a"))
        #expect(CardRouting.otherSide(both, in: .sample(isInCohort: false))?.card == .stripe("ic_a"))
        #expect(CardRouting.otherSide(both, in: .sample(mode: .shadow)) == nil)
        #expect(CardRouting.otherSide(both, in: .sample(isCompleted: true)) == nil)
        #expect(CardRouting.otherSide(both, in: nil) == nil)
    }

    @Test func withoutADetourOnlyTheServingBindingIsAllowed() {
        for bindings in Self.everyBindings {
            for migration in Self.everyMigration {
                let serving = CardRouting.serving(bindings, in: migration)
                for binding in bindings {
                    #expect(
                        CardRouting.allows(binding.card, by: nil, bindings, in: migration)
                            == (binding.card == serving?.card))
                }
            }
        }
    }

    @Test func aRepeatEndsWhereItBeganAsLongAsTheBindingIsThere() {
        let detour = Detour(reason: .repeat, routed: nil, migration: nil)
        for bindings in Self.everyBindings {
            for migration in Self.everyMigration {
                for binding in bindings {
                    #expect(CardRouting.allows(binding.card, by: detour, bindings, in: migration))
                }
                #expect(!CardRouting.allows(.increase("card_former"), by: detour, bindings, in: migration))
            }
        }
    }

    /// What a plan may still pin, after what has become of its migration.
    @Test func aPlanIsHonouredUntilItsSideIsTakenBack() {
        let from = CardBinding.increase("card_a")
        let to = CardBinding.stripe("ic_a")
        let both = [StoredBinding(card: from), StoredBinding(card: to, state: .standby)]
        let completed = [StoredBinding(card: from, state: .retired), StoredBinding(card: to)]
        let table: [(what: String, pinned: CardBinding, under: String?, [StoredBinding], CardMigration?, Bool)] = [
            ("advanced: from", from, "mig_1", both, .sample(), true),
            ("opened since: from", from, nil, both, .sample(), true),
            ("open: to", to, "mig_1", both, .sample(), true),
            ("rolled back: to", to, "mig_1", both, nil, false),
            ("rolled back: from", from, "mig_1", both, nil, true),
            ("rolled back, and another opened: to", to, "mig_1", both, .sample("mig_2", isInCohort: false), false),
            ("shadow: to", to, "mig_1", both, .sample(mode: .shadow), false),
            ("being completed: from", from, "mig_1", both, .sample(isCompleted: true), false),
            ("being completed: to", to, "mig_1", both, .sample(isCompleted: true), true),
            ("completed: from", from, "mig_1", completed, nil, false),
            ("completed: to", to, "mig_1", completed, nil, true),
        ]
        for (what, pinned, promised, bindings, migration, isHonoured) in table {
            let routed = CardRouting.serving(bindings, in: migration)?.card.connection
            let detour = Detour(reason: .plan, routed: routed, migration: promised)
            #expect(
                CardRouting.allows(pinned, by: detour, bindings, in: migration) == isHonoured, Comment(rawValue: what))
        }
    }

    @Test func aDetourFallsWithTheRouteThatItLeads() {
        let both = [
            StoredBinding(card: .increase("card_a")), StoredBinding(card: .stripe("ic_a"), state: .standby),
        ]
        let detour = Detour(reason: .accept, routed: "increase_main", migration: "mig_1")
        #expect(CardRouting.allows(.stripe("ic_a"), by: detour, both, in: .sample(isInCohort: false)))
        #expect(!CardRouting.allows(.stripe("ic_a"), by: detour, both, in: .sample()))
    }
}
