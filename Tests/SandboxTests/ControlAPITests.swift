import JSON
import Sandbox
import SecretMemory
import Testing

struct ControlAPITests {
    let sandbox = Sandbox(emulators: [EchoEmulator()], json: JSONParser())

    private func call(_ method: String, _ path: String, _ body: String = "") async -> (status: Int, body: String) {
        let answer = await sandbox.answer(
            EmulatedRequest(method: method, path: path, body: SecretBytes(utf8: body)))
        return (answer.status, answer.body.revealText() ?? "")
    }

    @Test func theOverviewNamesEmulatorsAndMagicIDs() async {
        let answer = await call("GET", "/_lab")
        #expect(answer.status == 200)
        #expect(answer.body.contains(#""path":"/echo""#) && answer.body.contains(#""echo_1":"answers""#))
        #expect(answer.body.contains(#""simulated":true"#))
    }

    @Test func aFaultIsTakenWithAllItsMembers() async {
        let body = """
            {"count": 3, "path_suffix": "/push", "after_handling": true, "status": 502, "body": "<p>", "html": true,
             "headers": {"retry-after": "2"}, "delay_ms": 40, "connection": "truncate", "truncate_after": 7,
             "oversize": 12}
            """
        #expect(await call("POST", "/_lab/echo/faults", body).status == 201)
        let fault = sandbox.pendingFaults(for: "echo").first
        #expect(fault?.count == 3 && fault?.pathSuffix == "/push" && fault?.afterHandling == true)
        #expect(fault?.status == 502 && fault?.body?.revealText() == "<p>" && fault?.delay == .milliseconds(40))
        #expect(fault?.contentType == "text/html; charset=utf-8" && fault?.headers.first?.value == "2")
        #expect(fault?.breaks == .truncate(after: 7) && fault?.fillsBodyTo == 12)
        #expect(await call("GET", "/_lab/echo/faults").body.contains(#""count":3"#))
        #expect(await call("DELETE", "/_lab/echo/faults").status == 204)
        #expect(sandbox.pendingFaults(for: "echo").isEmpty)
    }

    @Test(arguments: [
        (#"{"counts": 1}"#, "counts is not a known member"), (#"{"count": 0}"#, "count must be a whole number"),
        (#"{"status": "503"}"#, "status must be"),
        (#"{"connection": "lost"}"#, "connection must be reset, truncate or garble"),
        (#"{"html": 1}"#, "html must be true or false"), (#"{"body": {}}"#, "body must be a string"),
        ("[]", "must be an object"), ("{", "is required"),
    ])
    func aFaultThatCannotBeReadIsRefused(body: String, sentence: String) async {
        let answer = await call("POST", "/_lab/echo/faults", body)
        #expect(answer.status == 400)
        #expect(answer.body.contains(sentence))
        #expect(sandbox.pendingFaults(for: "echo").isEmpty)
    }

    @Test func requestsAreListedWithHeaderNamesOnly() async {
        _ = await sandbox.answer(
            EmulatedRequest(
                method: "POST", path: "/echo/push", headers: [("authorization", "Bearer invented")],
                body: SecretBytes(utf8: "{}")))
        let body = await call("GET", "/_lab/echo/requests").body
        #expect(body.contains(#""seen":1"#) && body.contains(#""headers":["authorization"]"#))
        #expect(body.contains(#""body":"{}""#) && !body.contains("invented"))
        #expect(await call("DELETE", "/_lab/echo/requests").status == 204)
        #expect(await call("GET", "/_lab/echo/requests").body.contains(#""seen":0"#))
    }

    @Test(arguments: [
        ("GET", "/_lab/reset"), ("POST", "/_lab"), ("GET", "/_lab/stripe/requests"), ("PUT", "/_lab/echo/faults"),
    ])
    func otherRoutesAreNamed(method: String, path: String) async {
        let answer = await call(method, path)
        #expect(answer.status == 404 && answer.body.contains("POST /_lab/reset"))
    }
}
