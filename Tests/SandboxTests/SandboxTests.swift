import JSON
import Sandbox
import SecretMemory
import Synchronization
import Testing

struct SandboxTests {
    let echo = EchoEmulator()
    let other = EchoEmulator(name: "other")
    let waited = Waited()
    let sandbox: Sandbox

    /// Notes how long the sandbox wanted to wait, and does not.
    final class Waited: Sendable {
        let times = Mutex<[Duration]>([])
    }

    init() {
        let waited = waited
        sandbox = Sandbox(emulators: [echo, other], json: JSONParser()) { time in
            waited.times.withLock { $0.append(time) }
        }
    }

    private func call(_ method: String, _ path: String, _ body: String = "") async -> (status: Int, body: String) {
        let answer = await sandbox.answer(
            EmulatedRequest(method: method, path: path, body: SecretBytes(utf8: body)))
        return (answer.status, answer.body.revealText() ?? "")
    }

    @Test func theFirstSegmentChoosesTheEmulatorAndIsRemoved() async {
        #expect(await call("GET", "/echo/cards/1").body == #"{"path":"/cards/1"}"#)
        #expect(await call("GET", "/other").body == #"{"path":"/"}"#)
        #expect(echo.handled == 1 && other.handled == 1)
    }

    @Test func whatIsNotServedIsNamed() async {
        let answer = await call("GET", "/stripe/v1/cards")
        #expect(answer.status == 404)
        #expect(answer.body.contains("nothing under /stripe") && answer.body.contains(#""/echo""#))
    }

    @Test func aFaultMeetsAsManyRequestsAsItSays() async {
        var fault = ScriptedFault()
        fault.count = 2
        fault.status = 503
        sandbox.script(fault, for: "echo")
        #expect(await call("GET", "/echo/a").status == 503)
        #expect(await call("GET", "/other/a").status == 200)
        #expect(await call("GET", "/echo/a").status == 503)
        #expect(await call("GET", "/echo/a").status == 200)
        #expect(echo.handled == 1)
    }

    @Test func aFaultWaitsForItsPath() async {
        var fault = ScriptedFault()
        fault.pathSuffix = "/push"
        fault.body = SecretBytes(utf8: "<html>")
        fault.contentType = "text/html"
        sandbox.script(fault, for: "echo")
        #expect(await call("GET", "/echo/read").body.contains("path"))
        #expect(await call("POST", "/echo/push").body == "<html>")
    }

    @Test func aFaultAfterHandlingSpoilsTheAnswerOnly() async {
        var fault = ScriptedFault()
        fault.afterHandling = true
        fault.breaks = .reset
        sandbox.script(fault, for: "echo")
        let answer = await sandbox.answer(EmulatedRequest(method: "POST", path: "/echo/push"))
        #expect(answer.breaks == .reset)
        #expect(echo.handled == 1)
    }

    @Test func aResetBeforeHandlingLeavesTheEmulatorUnasked() async {
        var fault = ScriptedFault()
        fault.breaks = .reset
        sandbox.script(fault, for: "echo")
        _ = await call("POST", "/echo/push")
        #expect(echo.handled == 0)
    }

    @Test func aDelayHoldsTheAnswerBack() async {
        var fault = ScriptedFault()
        fault.delay = .milliseconds(250)
        sandbox.script(fault, for: "echo")
        #expect(await call("GET", "/echo/a").status == 200)
        #expect(waited.times.withLock(\.self) == [.milliseconds(250)])
    }

    @Test func anOversizeAnswerIsStillTheAnswer() async {
        var fault = ScriptedFault()
        fault.fillsBodyTo = 300_000
        sandbox.script(fault, for: "echo")
        let body = await call("GET", "/echo/a").body
        #expect(body.utf8.count == 300_000 && body.hasPrefix(#"{"path":"/a"}"#))
    }

    @Test func requestsAreRememberedUntilTheReset() async {
        _ = await call("POST", "/echo/push", "{}")
        let record = sandbox.requests(to: "echo").first
        #expect(record?.number == 1 && record?.request.path == "/push" && record?.status == 200)
        sandbox.reset()
        #expect(sandbox.requests(to: "echo").isEmpty && sandbox.requestCount(of: "echo") == 0 && echo.handled == 0)
    }
}
