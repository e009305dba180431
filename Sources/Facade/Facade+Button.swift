import Gateway
import HTTPServer
import ProviderKit
import Provisioning
import Storage

extension Facade {
    /// What the app's button should do. It is a question, so nothing is kept of it.
    func walletButton(_ call: Call) async throws(Problem) -> HTTPResponse {
        try refuseQuery(call)
        let body = try ButtonBody.read(RequestBody(call.request.body, with: json))
        let button = try await call.gateway.walletButton(of: key(of: call), wallet: body.wallet, device: body.device)
        return Rendering.json { $0.walletButton(button) }
    }
}
