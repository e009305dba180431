public import ProviderKit
import SecretMemory

extension ThalesEmulator {
    /// The vault is all that a connection calls: its URL takes the other address and keeps its own path, unless it stands
    /// there already. Nil without a `card_source`, since nothing is called then.
    public func settings(_ settings: [(key: String, value: SettingValue)], at baseURL: String) -> [(
        key: String, value: SettingValue
    )]? {
        var settings = settings
        guard let place = settings.firstIndex(where: { $0.key == "card_source" }),
            case .mapping(var source) = settings[place].value,
            let member = source.firstIndex(where: { $0.key == "url" }), case .text(let url) = source[member].value
        else { return nil }
        source[member].value = .text(SecretText(Self.moved(url.reveal(), to: baseURL)))
        settings[place].value = .mapping(source)
        return settings
    }

    private static func moved(_ url: String, to baseURL: String) -> String {
        let base = baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL
        if url.hasPrefix("\(base)/") { return url }
        guard let scheme = url.firstRange(of: "://") else { return url }
        return base + url[scheme.upperBound...].drop { $0 != "/" }
    }
}
