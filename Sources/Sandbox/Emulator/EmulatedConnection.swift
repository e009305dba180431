/// What a gateway's configuration needs to reach an emulator. Every credential in it is invented.
public struct EmulatedConnection: Sendable {
    /// The connection's settings, one a line and indented as YAML below the connection's name.
    public let settings: [(key: String, value: String)]
    /// Files that the settings name, by path relative to the configuration's folder.
    public let files: [(name: String, contents: String)]

    /// Makes a connection of its members. A value is written as it is, so a text brings its own quotes.
    public init(settings: [(key: String, value: String)], files: [(name: String, contents: String)] = []) {
        self.settings = settings
        self.files = files
    }
}
