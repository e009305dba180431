import ProviderKit
import Sandbox
import StripeEmulator
import Testing

/// What the emulator refuses, whatever the call.
struct EmulatorRulesTests {
    let fixture = EmulatorFixture()

    @Test(arguments: [nil, "Bearer other", "Basic \(Base64.encode(Array("other:".utf8)))", "Bearer", "Basic %%"])
    func aWrongKeyIsRefused(authorization: String?) async {
        let answer = await fixture.get("/v1/issuing/cards/ic_ok", ["authorization": authorization])
        #expect(answer.status == 401 && answer.type == "invalid_request_error")
    }

    @Test func theKeyMayBeTheUserOfBasicAuthentication() async {
        let pair = Base64.encode(Array("\(StripeEmulator.secretKey):".utf8))
        #expect(await fixture.get("/v1/issuing/cards/ic_ok", ["authorization": "Basic \(pair)"]).status == 200)
    }

    @Test func anotherAccountIsOutOfReach() async {
        let other = await fixture.get("/v1/issuing/cards/ic_ok", ["stripe-account": "acct_other"])
        #expect(other.status == 403 && other.code == "account_invalid")
        let own = await fixture.get("/v1/issuing/cards/ic_ok", ["stripe-account": StripeEmulator.account])
        #expect(own.status == 200)
    }

    @Test func theVersionStandsInOneHeader() async {
        let headers = [
            ("authorization", "Bearer \(StripeEmulator.secretKey)"), ("stripe-version", "2020-08-27"),
            ("stripe-version", "2020-08-27"),
        ]
        let twice = await fixture.emulator.handle(
            EmulatedRequest(method: "GET", path: "/v1/issuing/cards/ic_ok", headers: headers))
        #expect(twice.status == 400)
        #expect(await fixture.get("/v1/issuing/cards/ic_ok", ["stripe-version": "latest"]).status == 400)
        let without = await fixture.get("/v1/issuing/cards/ic_ok", ["stripe-version": nil])
        #expect(without.status == 200, "a card has the account's own version")
        #expect(await fixture.key("ic_ok", ["stripe-version": nil]).status == 400)
    }

    @Test(arguments: ["application/json", "text/plain", nil])
    func aBodyMustBeAForm(contentType: String?) async {
        #expect(await fixture.key("ic_ok", ["content-type": contentType]).status == 400)
    }

    /// S03: the version as a member of the body is an unknown parameter.
    @Test(arguments: [
        ("issuing_card=ic_ok&stripe_version=2020-08-27", "parameter_unknown", "stripe_version"),
        ("issuing_card=ic_ok&stripe-version=2020-08-27", "parameter_unknown", "stripe-version"),
        ("issuing_card=ic_ok&nonce=n", "parameter_unknown", "nonce"), ("", "parameter_missing", "issuing_card"),
        ("issuing_card=", "parameter_invalid_empty", "issuing_card"),
        ("issuing_card=ic_nowhere", "resource_missing", "issuing_card"),
        ("issuing_card=ic_ok-1", "resource_missing", "issuing_card"),
    ])
    func s03WhatDoesNotBelongIsNamed(body: String, code: String, param: String) async {
        let answer = await fixture.send("POST", "/v1/ephemeral_keys", body: body)
        #expect(answer.status == 400 && answer.type == "invalid_request_error")
        #expect(answer.code == code && answer.param == param)
    }

    @Test(arguments: ["issuing_card=ic_ok&issuing_card=ic_ok", "issuing_card=%zz"])
    func whatIsNoFormIsRefused(body: String) async {
        #expect(await fixture.send("POST", "/v1/ephemeral_keys", body: body).status == 400)
    }

    @Test(arguments: [
        ("GET", "/"), ("GET", "/v1/ephemeral_keys"), ("POST", "/v1/issuing/cards/ic_ok"), ("GET", "/v2/issuing/cards"),
        ("PUT", "/v1/ephemeral_keys"), ("GET", "/v1/issuing/card"), ("GET", "/v1/charges/ch_1"),
        ("POST", "/v1/issuing/cards/ic_ok/push_provisioning_details"),
    ])
    func unknownPathsAreNotFound(method: String, path: String) async {
        let answer = await fixture.send(method, path)
        #expect(answer.status == 404 && answer.type == "invalid_request_error" && answer.code == nil)
    }

    @Test func everyAnswerNamesItself() async {
        for path in ["/v1/issuing/cards/ic_ok", "/v1/issuing/cards/ic_nowhere"] {
            let answer = await fixture.get(path)
            #expect(answer.header("request-id")?.hasPrefix("req_") == true)
            #expect(answer.header("stripe-version") == EmulatorFixture.version)
        }
    }

    @Test func theSameKeyAndParametersReplayTheAnswer() async {
        let first = await fixture.key("ic_ok", ["idempotency-key": "key-1"])
        let second = await fixture.key("ic_ok", ["idempotency-key": "key-1"])
        #expect(first.status == 200 && first.header("idempotent-replayed") == nil)
        #expect(second.status == 200 && second.header("idempotent-replayed") == "true")
        #expect(first.response.body == second.response.body)
        #expect(await fixture.key().response.body != first.response.body)
    }

    @Test func theSameKeyWithOtherParametersIsRefused() async {
        _ = await fixture.key("ic_ok", ["idempotency-key": "key-1"])
        let others = [
            await fixture.key("ic_ok2", ["idempotency-key": "key-1"]),
            await fixture.key("ic_ok", ["idempotency-key": "key-1", "stripe-version": "2019-09-09"]),
            await fixture.key("ic_ok", ["idempotency-key": "key-1", "stripe-account": StripeEmulator.account]),
        ]
        for answer in others { #expect(answer.status == 400 && answer.type == "idempotency_error") }
    }

    @Test func whatWasRefusedBeforeItBeganDoesNotUseItsKeyUp() async {
        #expect(await fixture.key("ic_nowhere", ["idempotency-key": "key-1"]).status == 400)
        #expect(await fixture.key("ic_ok", ["idempotency-key": "key-1"]).status == 200)
        let failure = await fixture.key("ic_error", ["idempotency-key": "key-2"])
        let again = await fixture.key("ic_error", ["idempotency-key": "key-2"])
        #expect(failure.status == 500 && again.status == 500)
        #expect(again.header("idempotent-replayed") == "true", "a failure that began is replayed too")
    }

    @Test(arguments: ["", String(repeating: "k", count: 256)])
    func anIdempotencyKeyHasALength(key: String) async {
        #expect(await fixture.key("ic_ok", ["idempotency-key": key]).status == 400)
    }

    @Test func aResetForgetsKeysAndTokens() async {
        let key = await fixture.key("ic_ok", ["idempotency-key": "key-1"])
        fixture.emulator.reset()
        #expect(await fixture.details(key.json?["secret"]?.string).status == 401)
        #expect(await fixture.key("ic_ok", ["idempotency-key": "key-1"]).header("idempotent-replayed") == nil)
    }
}
