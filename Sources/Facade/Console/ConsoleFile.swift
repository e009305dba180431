import Assets
import HTTPServer
import SecretMemory

/// One of the console's files. They are part of the program, and load nothing from elsewhere.
struct ConsoleFile {
    let type: String
    let asset: Asset

    /// By path.
    static let all: [String: ConsoleFile] = [
        "/console": ConsoleFile(type: "text/html; charset=utf-8", asset: .consolePage),
        "/console/": ConsoleFile(type: "text/html; charset=utf-8", asset: .consolePage),
        "/console/console.css": ConsoleFile(type: "text/css; charset=utf-8", asset: .consoleStyle),
        "/console/icon.svg": ConsoleFile(type: "image/svg+xml", asset: .consoleIcon),
        "/console/api.js": script(.consoleAPI),
        "/console/app.js": script(.consoleApp),
        "/console/dom.js": script(.consoleDOM),
        "/console/pages.js": script(.consolePages),
        "/console/switching.js": script(.consoleSwitching),
        "/console/delivery.js": script(.consoleDelivery),
    ]

    /// Only the gateway's own files count, nothing is sent but to the gateway, no page frames it, and text never becomes
    /// markup.
    static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; \
        base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; \
        trusted-types 'none'
        """

    /// What every answer of the console has besides.
    static let fields: [(name: String, value: String)] = [
        (name: "Content-Security-Policy", value: policy), (name: "X-Content-Type-Options", value: "nosniff"),
        (name: "X-Frame-Options", value: "DENY"), (name: "Referrer-Policy", value: "no-referrer"),
        (name: "Cross-Origin-Opener-Policy", value: "same-origin"),
        (name: "Cross-Origin-Resource-Policy", value: "same-origin"),
    ]

    /// The answer that holds it.
    var response: HTTPResponse { Rendering.body(SecretBytes(asset.bytes), type: type) }

    private static func script(_ asset: Asset) -> ConsoleFile {
        ConsoleFile(type: "text/javascript; charset=utf-8", asset: asset)
    }
}
