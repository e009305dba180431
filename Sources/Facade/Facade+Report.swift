import Gateway
import HTTPServer
import ProviderKit
import Provisioning

extension Facade {
    /// How a migration goes, in numbers.
    func migrationReport(_ call: Call) async throws(Problem) -> HTTPResponse {
        try refuseQuery(call)
        let report = try await call.gateway.report(ofMigration: call.parameter, program: call.program)
        return Rendering.json(capacity: 8192) { $0.switchReport(report) }
    }
}
