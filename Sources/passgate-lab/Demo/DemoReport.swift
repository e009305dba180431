import ProviderKit
import Sandbox
import SecretMemory

/// Everything that the demo showed.
struct DemoReport {
    var rows: [DemoRow] = []
    /// How the gateway ended: 0 is good order.
    var gatewayExit: Int32?
    /// Why the demo could not go on.
    var failure: String?

    var isGood: Bool { failure == nil && !rows.isEmpty && rows.allSatisfy(\.isAsExpected) && gatewayExit == 0 }

    /// The table, without the words around it.
    var table: [String] {
        var table = TextTable([
            ("wallet", .left), ("channel", .left), ("processor", .left), ("status", .left), ("ms", .right),
            ("device", .left),
        ])
        for row in rows { table.add(row.cells) }
        return table.lines
    }

    /// The same for machines.
    var json: SecretBytes {
        var json = JSONWriter()
        json.object { json in
            json.member("object", "demo")
            json.member("simulated", true)
            json.member("ok", isGood)
            json.member("rows", array: { json in for row in rows { row.write(into: &json) } })
            json.member("gateway_exit", gatewayExit.map(Int.init))
            json.member("failure", failure)
        }
        return json.finish()
    }
}
