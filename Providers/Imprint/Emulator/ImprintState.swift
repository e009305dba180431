import Provisioning

/// Everything that the emulator keeps between calls.
struct ImprintState {
    var methods: [String: PaymentMethod] = [:]
    var spentNonces: Set<[UInt8]> = []

    /// The payment method of that id; it comes into being when it is first asked for.
    mutating func method(_ id: String, at moment: Timestamp) -> PaymentMethod? {
        if let method = methods[id] { return method }
        guard let magic = MagicPaymentMethod.named(id) else { return nil }
        let method = PaymentMethod(id: id, magic: magic, createdAt: moment)
        methods[id] = method
        return method
    }
}
