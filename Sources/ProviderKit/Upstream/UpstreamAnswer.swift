public import Provisioning
public import SecretMemory

/// A processor's 2xx. A member is read as what the contract says it is, or the answer is a contract violation.
///
/// Payloads go from here into a handoff without a copy that is not wiped.
public struct UpstreamAnswer: Sendable {
    /// The body, an object. Unknown members are left alone.
    public let body: JSONView
    /// The body byte for byte.
    public let rawBody: SecretBytes
    /// What may be told of the answer.
    public var report: UpstreamReport { makeReport() }
    private let makeReport: @Sendable () -> UpstreamReport

    init(body: JSONView, rawBody: SecretBytes, report: @escaping @Sendable () -> UpstreamReport) {
        self.body = body
        self.rawBody = rawBody
        makeReport = report
    }

    /// The failure to throw where the answer is not what the contract says.
    ///
    /// - Parameter what: What is wrong, as the end of a sentence about the answer; never a value from it.
    public func violation(_ what: String) -> ProvisioningError {
        ProvisioningError(violation: report, "The processor's answer \(what).")
    }

    /// The object at `name`.
    ///
    /// - Throws: `provider_contract_violation` where there is none.
    public func object(_ name: String) throws(ProvisioningError) -> JSONView {
        guard let object = body[name], object.kind == .object else { throw violation("has no object \(name)") }
        return object
    }

    /// The text at `name` in `parent`, protected.
    ///
    /// - Throws: `provider_contract_violation` where it is missing, no text, or empty.
    public func text(_ name: String, in parent: JSONView) throws(ProvisioningError) -> SecretText {
        guard let text = try optionalText(name, in: parent) else { throw violation("has no \(name)") }
        return text
    }

    /// The text at `name` in `parent`, protected; nil where it is missing or null.
    ///
    /// - Throws: `provider_contract_violation` where it is no text, or empty.
    public func optionalText(_ name: String, in parent: JSONView) throws(ProvisioningError) -> SecretText? {
        guard let value = parent[name], !value.isNull else { return nil }
        guard let text = value.secretText, !text.isEmpty else { throw violation("has no text in \(name)") }
        return text
    }

    /// The bytes that the base64 text at `name` in `parent` stands for.
    ///
    /// - Throws: `provider_contract_violation` where it is missing, not standard base64 on one line, or empty.
    public func base64(_ name: String, in parent: JSONView) throws(ProvisioningError) -> SecretBytes {
        guard let bytes = try optionalBase64(name, in: parent) else { throw violation("has no \(name)") }
        return bytes
    }

    /// The bytes that the base64 text at `name` in `parent` stands for; nil where it is missing or null.
    ///
    /// - Throws: `provider_contract_violation` where it is not standard base64 on one line, or empty.
    public func optionalBase64(_ name: String, in parent: JSONView) throws(ProvisioningError) -> SecretBytes? {
        guard let value = parent[name], !value.isNull else { return nil }
        guard let bytes = value.withUTF8({ Base64.decode($0) }) ?? nil, !bytes.isEmpty else {
            throw violation("has no base64 in \(name)")
        }
        return bytes
    }
}
