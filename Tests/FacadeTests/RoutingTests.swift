import Testing

@testable import Facade

@Suite struct RoutingTests {
    @Test(arguments: [
        "/", "", "*", "/v1", "/v1/", "/v1/cards/", "/v1//cards", "//v1/cards", "/v1/cards/a/", "/v1/cards//wallets",
        "/v1/cards/.", "/v1/cards/..", "/v1/cards/%2e%2e", "/v1/cards/../cards", "/v1/./cards", "/V1/cards",
        "/v1/c%61rds", "/v1/cards/%", "/v1/cards/%4", "/v1/cards/%zz", "/v1/cards/%ff", "/v1/cards/a/b",
        "/v1/card", "/v2/cards", "v1/cards", "/healthz/", "/v1/cards;x",
    ])
    func leadsNowhere(path: String) {
        guard case .none = RouteTable.shared.match(method: "GET", path: path) else {
            Issue.record("\(path) leads somewhere")
            return
        }
    }

    @Test(arguments: [
        ("/v1/cards/a%2Fb", "a/b"), ("/v1/cards/%41", "A"), ("/v1/cards/caf%C3%A9", "café"), ("/v1/cards/a+b", "a+b"),
        ("/v1/cards/...", "..."),
    ])
    func decodesTheParameterOnce(path: String, parameter: String) {
        guard case .route(_, let found) = RouteTable.shared.match(method: "GET", path: path) else {
            Issue.record("\(path) leads nowhere")
            return
        }
        #expect(found.first == parameter && found.second.isEmpty)
    }

    @Test func readsHeadAsGet() {
        guard case .route(let route, _) = RouteTable.shared.match(method: "HEAD", path: "/v1/cards") else {
            Issue.record("HEAD leads nowhere")
            return
        }
        #expect(route.operation == .listCards)
    }

    @Test func everyRouteIsFoundByItsTemplate() {
        for route in RouteTable.shared.routes {
            let path = route.template.replacing(/{\w+}/, with: "x")
            guard case .route(let found, _) = RouteTable.shared.match(method: route.method, path: path) else {
                Issue.record("\(route.method) \(path) leads nowhere")
                continue
            }
            #expect(found.template == route.template && found.operation == route.operation)
        }
    }

    /// A webhook's proof is its signature.
    @Test func everyRouteUnderV1NeedsAKeyButThatOfWebhooks() {
        let open = RouteTable.shared.routes.filter { $0.template.hasPrefix("/v1/") && $0.access == .open }
        #expect(open.map(\.template) == ["/v1/inbound/{connection}"])
    }

    @Test func onlyCapabilitiesNeedNoScope() {
        let keyed = RouteTable.shared.routes.filter { $0.access == .key }.map(\.template)
        #expect(keyed == ["/v1/capabilities"])
    }
}
