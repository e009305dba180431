import EventLoop
import ProviderKit
import Sandbox
import SecretMemory

/// `passgate-lab try`
struct TryCommand {
    let options: TryOptions

    /// What is shown, step by step.
    private struct Step {
        let name: String
        let text: String
        let isGood: Bool
    }

    func run(in laboratory: Laboratory) async -> ExitCode {
        let device: any SimulatedDevice
        let attempt: any DeviceAttempt
        do throws(DeviceFailure) {
            guard let found = try laboratory.device(wallet: options.wallet, channel: options.channel) else {
                throw DeviceFailure("there is no simulated device for \(options.wallet) \(options.channel)")
            }
            device = found
            attempt = try found.begin()
        } catch {
            return finish([Step(name: "device", text: error.description, isGood: false)], answer: nil, .failed)
        }
        var steps: [Step] = []
        func show(_ step: Step) {
            steps.append(step)
            if !options.json { StandardStream.output.write(line(step) + "\n") }
        }
        show(Step(name: "device", text: "\(device.name) made a handshake", isGood: true))
        let client = GatewayClient(
            baseURL: options.gateway, key: SecretText(options.key), program: options.program,
            transport: laboratory.transport, json: laboratory.json)
        let rehearsal = Rehearsal(gateway: client, cardholderID: options.cardholder)
        let answer: GatewayAnswer
        do throws(TransportFailure) {
            answer = try await rehearsal.provision(options.card, with: attempt, of: device)
        } catch {
            show(Step(name: "gateway", text: "gave no answer: \(error.cause.rawValue)", isGood: false))
            return finish(steps, answer: nil, .unavailable)
        }
        guard answer.status == 201, let json = answer.json, let handoff = json["handoff"] else {
            show(Step(name: "gateway", text: answer.problemLine, isGood: false))
            return finish(steps, answer: answer, .failed)
        }
        let record = "\(json["id"]?.string ?? "") \(json["status"]?.string ?? "") by \(json["provider"]?.string ?? "")"
        show(Step(name: "gateway", text: "201 · \(record) · \(answer.milliseconds) ms", isGood: true))
        for repair in json["repairs"]?.elements ?? [] {
            let text = "\(repair["pointer"]?.string ?? "") \(repair["repair"]?.string ?? "")"
            show(Step(name: "repair", text: text, isGood: true))
        }
        do throws(DeviceFailure) {
            let verdict = try attempt.finish(handoff)
            show(Step(name: "device", text: "\(verdict.deed) · \(verdict.token)", isGood: true))
        } catch {
            show(Step(name: "device", text: error.description, isGood: false))
        }
        return finish(steps, answer: answer, steps.allSatisfy(\.isGood) ? .fine : .failed)
    }

    private func line(_ step: Step) -> String {
        let space = String(repeating: " ", count: max(10 - step.name.count, 1))
        return "  \(step.name)\(space)\(step.isGood ? "" : "FAILED: ")\(step.text)"
    }

    private func finish(_ steps: [Step], answer: GatewayAnswer?, _ code: ExitCode) -> ExitCode {
        guard options.json else {
            if answer == nil && steps.count == 1 { StandardStream.output.write(line(steps[0]) + "\n") }
            return code
        }
        var json = JSONWriter()
        json.object { json in
            json.member("object", "try")
            json.member("simulated", true)
            json.member("ok", code == .fine)
            json.member("status", answer?.status)
            json.member("code", answer?.code)
            json.member("provisioning", answer?.json?["id"]?.string)
            json.member("milliseconds", answer?.milliseconds)
            json.member(
                "steps",
                array: { json in
                    for step in steps {
                        json.object { json in
                            json.member("step", step.name)
                            json.member("text", step.text)
                            json.member("ok", step.isGood)
                        }
                    }
                })
        }
        StandardStream.output.write(json.finishText() + "\n")
        return code
    }
}
