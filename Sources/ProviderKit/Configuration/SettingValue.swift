public import SecretMemory

/// A value of the configuration, its references resolved. Every text may be a secret.
public indirect enum SettingValue: Sendable {
    /// A text, a number or a truth value, as written.
    case text(SecretText)
    /// A list.
    case list([SettingValue])
    /// A mapping, in the order written.
    case mapping([(key: String, value: SettingValue)])
    /// Nothing was written.
    case empty
    /// A reference could not be resolved. The problem is reported already, so who reads it stays silent.
    case unresolved
}
