import CheckoutEmulator
import ImprintEmulator
import IncreaseEmulator
import ProviderKit
import Sandbox
import StripeEmulator
import ThalesEmulator

/// Every processor that the laboratory plays, a line each.
enum EmulatorCatalogue {
    static func emulators(json: any JSONParsing, network: SimulatedNetwork) -> [any Emulator] {
        [
            IncreaseEmulator(json: json, network: network),
            CheckoutEmulator(json: json, network: network),
            ImprintEmulator(json: json, network: network),
            ThalesEmulator(json: json),
            StripeEmulator(json: json, network: network),
        ]
    }
}
