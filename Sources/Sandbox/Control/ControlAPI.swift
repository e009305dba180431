import ProviderKit
import SecretMemory

/// What `/_lab` answers: it lists the emulators and the requests they saw, takes faults, sends webhooks, and resets.
struct ControlAPI {
    let sandbox: Sandbox

    func answer(_ request: EmulatedRequest) async -> EmulatedResponse {
        let segments = Array(request.segments.dropFirst())
        if segments.isEmpty, request.method == "GET" { return .json(200, overview()) }
        if segments == ["reset"], request.method == "POST" {
            sandbox.reset()
            return EmulatedResponse(status: 204)
        }
        guard segments.count == 2, let emulator = sandbox.emulator(named: segments[0]) else { return unknownRoute() }
        switch (segments[1], request.method) {
        case ("faults", "GET"): return .json(200, faults(of: emulator.name))
        case ("faults", "POST"): return addFault(request.body, to: emulator.name)
        case ("faults", "DELETE"):
            sandbox.clearFaults(for: emulator.name)
            return EmulatedResponse(status: 204)
        case ("webhooks", "POST"): return await WebhookOrder(sandbox: sandbox, emulator: emulator).answer(request.body)
        case ("requests", "GET"): return .json(200, requests(to: emulator.name))
        case ("requests", "DELETE"):
            sandbox.clearRequests(of: emulator.name)
            return EmulatedResponse(status: 204)
        default: return unknownRoute()
        }
    }

    private func overview() -> SecretBytes {
        var json = JSONWriter()
        json.object { json in
            json.member("simulated", true)
            json.member(
                "emulators",
                array: { json in
                    for emulator in sandbox.emulators { describe(emulator, into: &json) }
                })
        }
        return json.finish()
    }

    private func describe(_ emulator: any Emulator, into json: inout JSONWriter) {
        json.object { json in
            json.member("name", emulator.name)
            json.member("path", "/\(emulator.name)")
            json.member("processor", emulator.displayName)
            json.member("requests", sandbox.requestCount(of: emulator.name))
            json.member("webhooks", array: { json in for event in emulator.webhookEvents { json.value(event) } })
            json.member(
                "magic_ids",
                object: { json in for magic in emulator.magicIDs { json.member(magic.id, magic.meaning) } })
        }
    }

    private func requests(to name: String) -> SecretBytes {
        var json = JSONWriter()
        json.object { json in
            json.member("seen", sandbox.requestCount(of: name))
            json.member(
                "data", array: { json in for record in sandbox.requests(to: name) { write(record, into: &json) } })
        }
        return json.finish()
    }

    private func write(_ record: RequestRecord, into json: inout JSONWriter) {
        json.object { json in
            json.member("number", record.number)
            json.member("at", record.at.wholeSecondsText)
            json.member("method", record.request.method)
            json.member("path", record.request.path)
            json.member("query", record.request.query)
            json.member(
                "headers", array: { json in for header in record.request.headers { json.value(header.name) } })
            json.member("body", record.request.body.revealText())
            json.member("status", record.status)
            json.member("fault", record.wasSpoiled)
        }
    }

    private func faults(of name: String) -> SecretBytes {
        var json = JSONWriter()
        json.object { json in
            json.member(
                "data",
                array: { json in
                    for fault in sandbox.pendingFaults(for: name) {
                        json.object { json in
                            json.member("count", fault.count)
                            json.member("path_suffix", fault.pathSuffix)
                            json.member("after_handling", fault.afterHandling)
                            json.member("status", fault.status)
                        }
                    }
                })
        }
        return json.finish()
    }

    private func addFault(_ body: SecretBytes, to name: String) -> EmulatedResponse {
        var reader = FaultReader()
        if let fault = reader.read(try? sandbox.json.parse(body).root) {
            sandbox.script(fault, for: name)
            return .json(201, faults(of: name))
        }
        var json = JSONWriter()
        json.object { json in
            json.member("error", "the fault cannot be read")
            json.member(
                "errors",
                array: { json in
                    for problem in reader.problems { json.value("\(problem.field) \(problem.message)") }
                })
        }
        return .json(400, json.finish())
    }

    private func unknownRoute() -> EmulatedResponse {
        var json = JSONWriter()
        json.object { json in
            json.member("error", "the control API has no such route")
            json.member(
                "routes",
                array: { json in
                    json.value("GET /_lab")
                    json.value("POST /_lab/reset")
                    json.value("GET, POST, DELETE /_lab/{emulator}/faults")
                    json.value("GET, DELETE /_lab/{emulator}/requests")
                    json.value("POST /_lab/{emulator}/webhooks")
                })
        }
        return .json(404, json.finish())
    }
}
