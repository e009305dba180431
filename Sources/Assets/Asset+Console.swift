import CAssets

extension Asset {
    /// The console's page.
    public static let consolePage = Asset(passgate_asset_console_page())
    /// The console's style sheet.
    public static let consoleStyle = Asset(passgate_asset_console_style())
    /// The console's icon.
    public static let consoleIcon = Asset(passgate_asset_console_icon())
    /// How the console's page calls the gateway.
    public static let consoleAPI = Asset(passgate_asset_console_api())
    /// The console's frame.
    public static let consoleApp = Asset(passgate_asset_console_app())
    /// What the console's pages are made of.
    public static let consoleDOM = Asset(passgate_asset_console_dom())
    /// The console's pages of attempts.
    public static let consolePages = Asset(passgate_asset_console_pages())
    /// The console's pages of connections and migrations.
    public static let consoleSwitching = Asset(passgate_asset_console_switching())
    /// The console's pages of destinations.
    public static let consoleDelivery = Asset(passgate_asset_console_delivery())
}
