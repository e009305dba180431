import Crypto
import Gateway
import HTTPServer
import ProviderKit
import Provisioning
import SecretMemory
import Storage

/// The console: its pages, and the calls that they make. What a call does is the facade's own route, asked with the
/// session's API key: its scopes and its programs hold.
struct Console: Sendable {
    static let path = "/console"
    private static let apiPath = "/console/api/"
    private static let sessionPath = "/console/api/session"
    private static let tokenField = "passgate-csrf"

    let facade: Facade
    let keys: KeyRing
    let version: String
    private let limit = SignInLimit()
    private let ended = EndedSessions()

    init(facade: Facade, keys: KeyRing, version: String) {
        self.facade = facade
        self.keys = keys
        self.version = version
    }

    /// Whether the path is one of the console's.
    static func owns(_ path: String) -> Bool { path == Self.path || path.hasPrefix("\(Self.path)/") }

    /// Answers a request.
    func respond(to request: HTTPRequest) async -> HTTPResponse {
        var response = await answer(request)
        response.headers += ConsoleFile.fields
        return response
    }

    private func answer(_ request: HTTPRequest) async -> HTTPResponse {
        var exchange = facade.begin(request)
        do throws(Problem) {
            if let file = ConsoleFile.all[request.path] {
                exchange.template = request.path
                guard request.method == "GET" || request.method == "HEAD" else {
                    exchange.allow = "GET, HEAD"
                    throw Problem(.methodNotAllowed)
                }
                return facade.finish(file.response, exchange)
            }
            guard request.path.hasPrefix(Self.apiPath) else { throw Problem(.routeNotFound) }
            if request.path == Self.sessionPath { exchange.template = Self.sessionPath }
            if request.path == Self.sessionPath, request.method == "POST" {
                try checkOrigin(of: request)
                return facade.finish(try await signIn(request, &exchange), exchange)
            }
            let (session, key) = try admit(request)
            exchange.key = key
            guard request.path == Self.sessionPath else {
                return withTag(await facade.respond(to: request, as: key), for: request)
            }
            return facade.finish(try serve(session, of: key, request, &exchange), exchange)
        } catch {
            return facade.finish(facade.render(error, &exchange), exchange)
        }
    }

    // MARK: Sessions

    /// The session of a request, and its key as it is now; a change must come from the console's own page.
    private func admit(_ request: HTTPRequest) throws(Problem) -> (ConsoleSession, APIKey) {
        let now = facade.clock.now
        guard let session = ConsoleSession(in: request.headers, opening: keys, at: now), !ended.contains(session),
            let key = facade.inForce.keys.key(digest: session.keyDigest), key.scopes.contains(.admin),
            session.isOf(key, facade.cryptography)
        else { throw Problem(.unauthenticated, detail: "Sign in to the console.") }
        if request.method == "GET" || request.method == "HEAD" { return (session, key) }
        try checkOrigin(of: request)
        let token = request.header(Self.tokenField) ?? ""
        guard facade.cryptography.constantTimeEquals(Array(token.utf8), Array(session.token.utf8)) else {
            throw Problem(.permissionDenied, detail: "The request does not bring the session's token.")
        }
        return (session, key)
    }

    /// Refuses what does not come from a page of the very host that is asked.
    private func checkOrigin(of request: HTTPRequest) throws(Problem) {
        let origins = request.headers.filter { $0.name == "origin" }.map(\.value)
        let hosts = request.headers.filter { $0.name == "host" }.map(\.value)
        if origins.count == 1, hosts.count == 1, let origin = origins.first, let host = hosts.first, !host.isEmpty,
            origin == "http://\(host)" || origin == "https://\(host)",
            request.header("sec-fetch-site").map({ $0 == "same-origin" }) ?? true
        {
            return
        }
        throw Problem(.permissionDenied, detail: "The request comes from another origin.")
    }

    private func signIn(_ request: HTTPRequest, _ exchange: inout Exchange) async throws(Problem) -> HTTPResponse {
        if let wait = limit.wait(for: request.remoteAddress, at: .now) {
            throw Problem(
                .rateLimited, detail: "It was tried to sign in too often.",
                retryAfter: Int(wait.components.seconds) + 1)
        }
        guard HeaderReader(request: request).announces(.json) else { throw Problem(.unsupportedMediaType) }
        let findings = Findings()
        let body = try RequestBody(request.body, with: facade.json)
        let reader = body.reader(known: KnownMembers(["key"]), findings: findings)
        reader.require("key")
        let text = reader.secret("key", limit: 512)
        try findings.throwAny()
        guard let text, let key = try await facade.key(of: text, &exchange) else {
            limit.countFailure(of: request.remoteAddress, at: .now)
            throw Problem(.unauthenticated, detail: "The API key is not known here.")
        }
        exchange.key = key
        guard key.scopes.contains(.admin) else {
            throw Problem(.permissionDenied, detail: "The API key lacks the scope `admin`.")
        }
        let session = ConsoleSession(of: key, at: facade.clock.now, facade.cryptography)
        return try tell(session, of: key, cookie: seal(session))
    }

    /// Tells of the session, or ends it.
    private func serve(
        _ session: ConsoleSession, of key: APIKey, _ request: HTTPRequest, _ exchange: inout Exchange
    ) throws(Problem) -> HTTPResponse {
        switch request.method {
        case "GET", "HEAD": return try tell(session, of: key, cookie: nil)
        case "DELETE":
            ended.end(session, at: facade.clock.now)
            return Rendering.empty(status: 204, headers: [cookie("", maxAge: 0)])
        default:
            exchange.allow = "GET, HEAD, POST, DELETE"
            throw Problem(.methodNotAllowed)
        }
    }

    private func tell(
        _ session: ConsoleSession, of key: APIKey, cookie: (name: String, value: String)?
    ) throws(Problem) -> HTTPResponse {
        let programs = facade.gateway.directory.programs.values.filter { key.programs?.contains($0.name) ?? true }
        var response = Rendering.json { json in
            json.object { json in
                json.member("object", "console_session")
                json.member("key", key.name)
                json.member("version", version)
                json.member("csrf", session.token)
                json.member("expires_at", session.expiresAt)
                json.member(
                    "scopes",
                    array: { json in for scope in key.scopes.map(\.rawValue).sorted() { json.value(scope) } })
                json.member(
                    "programs",
                    array: { json in
                        for program in programs.sorted(by: { $0.name < $1.name }) {
                            json.object { json in
                                json.member("name", program.name)
                                json.member("display_name", program.displayName)
                            }
                        }
                    })
            }
        }
        if let cookie { response.headers.append(cookie) }
        return response
    }

    private func seal(_ session: ConsoleSession) throws(Problem) -> (name: String, value: String) {
        do throws(CryptographyFailure) {
            return cookie(
                try session.sealed(with: keys), maxAge: Int(ConsoleSession.lifetimeMilliseconds / 1000))
        } catch {
            throw Problem(.internalError, detail: "The session could not be sealed.")
        }
    }

    private func cookie(_ value: String, maxAge: Int) -> (name: String, value: String) {
        (
            name: "Set-Cookie",
            value: "\(ConsoleSession.cookie)=\(value); Path=/; Max-Age=\(maxAge); HttpOnly; Secure; SameSite=Strict"
        )
    }

    // MARK: Tags

    /// The answer with a tag of what it holds, or 304 where the page has just that already.
    private func withTag(_ response: HTTPResponse, for request: HTTPRequest) -> HTTPResponse {
        guard response.status == 200, request.method == "GET" else { return response }
        let digest = facade.cryptography.sha256([response.body])
        let tag = "\"\(Hexadecimal.encode(SecretBytes(Array(digest.prefix(16)))).revealText() ?? "")\""
        var response = response
        response.headers.append((name: "ETag", value: tag))
        if request.header("if-none-match") == tag {
            response.status = 304
            response.body = SecretBytes([])
        }
        return response
    }
}
