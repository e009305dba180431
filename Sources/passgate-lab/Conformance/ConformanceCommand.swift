import Catalogue
import Crypto
import EventLoop
import ProviderConformance
import ProviderKit
import Provisioning
import Sandbox
import SecretMemory

/// `passgate-lab conformance`
struct ConformanceCommand {
    let options: ConformanceOptions

    func run(in laboratory: Laboratory) async -> ExitCode {
        guard let provider = ProviderCatalogue.all.first(where: { $0.descriptor.id == options.provider }) else {
            let known = ProviderCatalogue.all.map { $0.descriptor.id }.joined(separator: ", ")
            return refuse("there is no provider \(options.provider); there are \(known)", .usage)
        }
        return await run(provider, in: laboratory)
    }

    private func run<Provider: ConfigurableProvider>(_: Provider.Type, in laboratory: Laboratory) async -> ExitCode {
        let name = Provider.descriptor.id
        let makeEmulator: @Sendable () -> (any Emulator)? = { [json = laboratory.json, network = laboratory.network] in
            EmulatorCatalogue.emulators(json: json, network: network).first { $0.provider == name }
        }
        guard let emulator = makeEmulator() else { return refuse("\(name) has no emulator", .unavailable) }
        let run: ConformanceRun
        if let url = options.against {
            do throws(ConnectionUnderTest.Refusal) {
                let connection = try ConnectionUnderTest(options, emulator: emulator, baseURL: url)
                let transport = laboratory.transport(try connection.transportOptions())
                let kit = AdapterKit(
                    transport: transport, json: laboratory.json, cryptography: OpenSSLCryptography(),
                    clock: SandboxClock())
                // Whatever is wrong with the settings is told before anything is sent.
                let _: Provider = try connection.provider(kit: kit)
                let harness = ProcessorHarness<Provider>(
                    emulator: emulator, cards: cards(at: connection), transport: transport
                ) { [json = laboratory.json] transport, settings in
                    try connection.provider(
                        replacing: settings,
                        kit: AdapterKit(
                            transport: transport, json: json, cryptography: OpenSSLCryptography(),
                            clock: SandboxClock()))
                }
                run = await check(harness, against: url)
            } catch {
                return refuse(error.description, .configuration)
            }
        } else {
            let harness = EmulatorHarness<Provider>(
                network: laboratory.network, on: laboratory.loops, transport: laboratory.transport,
                cryptography: OpenSSLCryptography()
            ) { makeEmulator() ?? emulator }
            run = await check(harness, against: "its emulator")
        }
        finish(run)
        return run.isGood ? .fine : .failed
    }

    private func check(_ harness: some ProviderHarness, against target: String) async -> ConformanceRun {
        if !options.json {
            StandardStream.output.write("The promises of \(options.provider), checked against \(target):\n\n")
        }
        return await ConformanceRun(harness) { line in
            if !options.json { StandardStream.output.write(Self.text(of: line)) }
        }
    }

    private func cards(at connection: ConnectionUnderTest) -> [Situation: CardBinding] {
        guard let network = CardNetwork(options.network) else { return [:] }
        var cards: [Situation: CardBinding] = [:]
        for (word, id) in options.cards {
            guard let situation = Situation(rawValue: word) else { continue }
            cards[situation] = CardBinding(
                connection: connection.name, providerCardID: id, providerCardholderID: options.cardholder,
                last4: options.last4, network: network)
        }
        return cards
    }

    private static func text(of line: ConformanceRun.Line) -> String {
        switch line.verdict {
        case .kept: "  kept     \(line.promise)\n"
        case .broken(let violation): "  BROKEN   \(line.promise)\n             \(violation)\n"
        case .notRun(let reason): "  not run  \(line.promise)\n             \(reason)\n"
        }
    }

    private func finish(_ run: ConformanceRun) {
        guard options.json else {
            StandardStream.output.write(
                "\n\(run.kept) kept, \(run.broken.count) broken, \(run.notRun.count) not run.\n")
            return
        }
        var json = JSONWriter(capacity: 32_768)
        json.object { json in
            json.member("object", "conformance")
            json.member("provider", options.provider)
            json.member("against", options.against ?? "emulator")
            json.member("ok", run.isGood)
            json.member("kept", run.kept)
            json.member("broken", run.broken.count)
            json.member("not_run", run.notRun.count)
            json.member(
                "promises", array: { json in for line in run.lines { json.object { line.write(into: &$0) } } })
        }
        StandardStream.output.write(json.finishText() + "\n")
    }

    private func refuse(_ sentence: String, _ code: ExitCode) -> ExitCode {
        StandardStream.error.write("passgate-lab: \(sentence)\n")
        return code
    }
}

extension ConformanceRun.Line {
    /// Writes the members of its object.
    fileprivate func write(into json: inout JSONWriter) {
        json.member("promise", promise)
        switch verdict {
        case .kept: json.member("verdict", "kept")
        case .broken(let violation):
            json.member("verdict", "broken")
            json.member("detail", violation)
        case .notRun(let reason):
            json.member("verdict", "not_run")
            json.member("detail", reason)
        }
    }
}
