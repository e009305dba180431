import IncreaseEmulator
import ProviderKit
import Sandbox
import SecretMemory
import Testing

/// What the emulator refuses, whatever the call.
struct EmulatorRulesTests {
    let fixture = EmulatorFixture()

    @Test(arguments: [
        (nil, "no_header"), ("Basic abc", "no_credential"), ("Bearer sandbox_other", "no_credential"),
        ("Bearer live_key", "wrong_environment"),
    ])
    func aWrongKeyIsRefusedWithItsReason(authorization: String?, reason: String) async {
        let answer = await fixture.get("/cards/sandbox_card_ok", authorization: authorization)
        #expect(answer.status == 401 && answer.type == "invalid_api_key_error")
        #expect(answer.json?["reason"]?.string == reason)
    }

    @Test(arguments: [nil, "text/plain", "application/x-www-form-urlencoded"])
    func aBodyMustSayThatItIsJSON(contentType: String?) async {
        let body = SecretBytes(utf8: EmulatorFixture.googleBody())
        let answer = await fixture.post("/cards/sandbox_card_ok/push_provision", body, contentType: contentType)
        #expect(answer.status == 400 && answer.type == "malformed_request_error")
    }

    @Test func aParameterOfTheMediaTypeIsNoHindrance() async {
        let body = SecretBytes(utf8: EmulatorFixture.googleBody())
        let answer = await fixture.post(
            "/cards/sandbox_card_ok/push_provision", body, contentType: "application/json; charset=utf-8")
        #expect(answer.status == 200)
    }

    @Test(arguments: ["/", "/card", "/cards/sandbox_card_ok/push_provision", "/digital_wallet_tokens/a/b", "/events"])
    func unknownMethodsAreNotFound(path: String) async {
        let answer = await fixture.get(path)
        #expect(answer.status == 404 && answer.type == "api_method_not_found_error")
    }

    @Test func theSameKeyAndBodyReplayTheAnswer() async {
        let first = await fixture.push(EmulatorFixture.googleBody(), key: "key-1")
        let second = await fixture.push(EmulatorFixture.googleBody(), key: "key-1")
        #expect(first.status == 200 && first.header("idempotent-replayed") == nil)
        #expect(second.status == 200 && second.header("idempotent-replayed") == "true")
        #expect(first.response.body == second.response.body)
        let tokens = await fixture.get("/digital_wallet_tokens", query: "card_id=sandbox_card_ok")
        #expect(tokens.json?["data"]?.elements?.count == 1)
    }

    @Test func theSameKeyWithAnotherBodyIsRefused() async {
        _ = await fixture.push(EmulatorFixture.googleBody(), key: "key-1")
        let answer = await fixture.push(EmulatorFixture.googleBody(session: "session-2"), key: "key-1")
        #expect(answer.status == 409 && answer.type == "idempotency_key_already_used_error")
        #expect(answer.json?["resource_id"]?.string == "sandbox_card_ok")
    }

    @Test func aRefusedCallDoesNotUseItsKeyUp() async {
        #expect(await fixture.push("{}", key: "key-1").status == 400)
        #expect(await fixture.push(EmulatorFixture.googleBody(), key: "key-1").status == 200)
    }

    @Test func errorsHaveTheMembersOfIncrease() async {
        let answer = await fixture.get("/cards/sandbox_card_nowhere")
        #expect(answer.status == 404 && answer.type == "object_not_found_error")
        #expect(answer.json?["status"]?.integer == 404 && answer.json?["title"]?.string != nil)
        #expect(answer.json?["detail"]?.string != nil && answer.json?["likely_environment"]?.isNull == true)
    }

    @Test func aResetForgetsKeysSessionsAndTokens() async {
        _ = await fixture.push(EmulatorFixture.googleBody(), key: "key-1")
        fixture.emulator.reset()
        let again = await fixture.push(EmulatorFixture.googleBody(), key: "key-1")
        #expect(again.status == 200 && again.header("idempotent-replayed") == nil)
    }
}
