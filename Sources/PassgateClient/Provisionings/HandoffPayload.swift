public import Foundation
public import PassgateContract

/// What the app needs, byte for byte as the gateway sent it. A backend passes it on and looks no further: reading it is for
/// the app (`PassgateWallet`). It is never shown.
public struct HandoffPayload: Sendable, Concealed {
    /// The JSON object, to be put into the answer to the app as it is.
    public let json: Data
    /// The kind of handoff, which may be logged.
    public let type: HandoffType

    /// Cuts the handoff out of an answer.
    ///
    /// - Returns: Nil where there is none.
    init?(in body: Data) {
        guard let type = try? JSONDecoder().decode(Outline.self, from: body).handoff.type,
            let json = RawJSON.member("handoff", of: body)
        else { return nil }
        self.json = json
        self.type = type
    }

    private struct Outline: Decodable {
        struct Kind: Decodable {
            let type: HandoffType
        }

        let handoff: Kind
    }
}
