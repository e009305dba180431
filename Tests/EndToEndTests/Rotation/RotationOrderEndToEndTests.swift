import Foundation
import ProviderKit
import Sandbox
import SecretMemory
import Testing

/// With several instances a root secret is replaced in two rounds. Why is shown too.
@Suite(.serialized) struct RotationOrderEndToEndTests {
    /// Puts the house's gateway and another one on its store under root secrets of their own, and runs the test.
    private func with(
        _ first: [String], _ second: [String], _ house: RotatedHouse, _ test: (GatewayClient) async throws -> Void
    ) async throws {
        try await house.under(first) {
            try await house.house.besideAnother(underRootSecrets: second) { try await test($0.client) }
        }
    }

    @Test func inTwoRoundsEveryInstanceSeesWhatAnotherHasSpent() async throws {
        try await RotatedHouse.with { house in
            let (former, next) = (house.former, house.next)
            // Each step of both rounds: one instance has been restarted, the other one has not.
            let steps = [([former, next], [former]), ([next, former], [former, next]), ([next], [next, former])]
            for (number, (restarted, other)) in steps.enumerated() {
                try await with(restarted, other, house) { beside in
                    let spentHere = try house.order()
                    #expect(try await house.provision(spentHere, key: "here-\(number)").status == 201)
                    let there = try await house.provision(spentHere, key: "there-again-\(number)", at: beside)
                    #expect(there.code == "handshake_reused", "step \(number): \(there.problemLine)")
                    guard restarted != [next] else { return }
                    let spentThere = try house.order()
                    #expect(try await house.provision(spentThere, key: "there-\(number)", at: beside).status == 201)
                    let here = try await house.provision(spentThere, key: "here-again-\(number)")
                    #expect(here.code == "handshake_reused", "step \(number): \(here.problemLine)")
                    let plan = try await house.plan()
                    let planned = try await house.provision(
                        house.order(plan: plan), key: "planned-\(number)", at: beside)
                    #expect(planned.status == 201, "step \(number): \(planned.problemLine)")
                }
            }
        }
    }

    @Test func inOneRoundAnInstanceDoesNotSeeWhatAnotherHasSpent() async throws {
        try await RotatedHouse.with { house in
            try await with([house.next, house.former], [house.former], house) { beside in
                let order = try house.order()
                #expect(try await house.provision(order, key: "here").status == 201)
                let there = try await house.provision(order, key: "there", at: beside)
                #expect(there.code != "handshake_reused", "\(there.problemLine)")
                let planned = try await house.provision(house.order(plan: house.plan()), key: "plan", at: beside)
                #expect(planned.code == "invalid_request", "\(planned.problemLine)")
            }
        }
    }
}
