public import Foundation
public import PassgateContract

/// An encrypted pass for `PKAddPaymentPassRequest`.
public struct ApplePayPass: Sendable, Codable, Concealed {
    /// The key that PassKit needs beside the data; which one depends on the encryption scheme.
    public enum Key: Sendable, Concealed {
        /// ECC_V2: `ephemeralPublicKey`.
        case ephemeralPublicKey(Data)
        /// RSA_V2: `wrappedKey`.
        case wrappedKey(Data)
    }

    /// `activationData`
    public let activationData: Data
    /// `encryptedPassData`
    public let encryptedPassData: Data
    /// The key, by scheme.
    public let key: Key
    /// The processor's name of the scheme, such as `EV_ECC_v2`: for a log, not to decide by.
    public let encryptionVersion: String?

    /// Reads the pass; exactly one of the two keys must be there.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        activationData = try container.decode(Data.self, forKey: .activationData)
        encryptedPassData = try container.decode(Data.self, forKey: .encryptedPassData)
        encryptionVersion = try container.decodeIfPresent(String.self, forKey: .encryptionVersion)
        let ephemeral = try container.decodeIfPresent(Data.self, forKey: .ephemeralPublicKey)
        let wrapped = try container.decodeIfPresent(Data.self, forKey: .wrappedKey)
        switch (ephemeral, wrapped) {
        case (let key?, nil): self.key = .ephemeralPublicKey(key)
        case (nil, let key?): self.key = .wrappedKey(key)
        default:
            throw DecodingError.dataCorruptedError(
                forKey: .ephemeralPublicKey, in: container, debugDescription: "needs exactly one of the two keys")
        }
    }

    /// Writes what was read.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(activationData, forKey: .activationData)
        try container.encode(encryptedPassData, forKey: .encryptedPassData)
        try container.encodeIfPresent(encryptionVersion, forKey: .encryptionVersion)
        switch key {
        case .ephemeralPublicKey(let key): try container.encode(key, forKey: .ephemeralPublicKey)
        case .wrappedKey(let key): try container.encode(key, forKey: .wrappedKey)
        }
    }

    private enum CodingKeys: String, CodingKey {
        case activationData = "activation_data"
        case encryptedPassData = "encrypted_pass_data"
        case ephemeralPublicKey = "ephemeral_public_key"
        case wrappedKey = "wrapped_key"
        case encryptionVersion = "encryption_version"
    }
}
