public import ProviderKit
import Provisioning

extension JSONWriter {
    /// Writes what became of an import: the same for a caller and for a command.
    public mutating func cardImport(_ report: CardImportReport) {
        object { json in
            json.member("imported", report.imported)
            json.member("updated", report.updated)
            json.member("failed", report.failed)
            json.member(
                "errors",
                array: { json in
                    for fault in report.faults {
                        json.object { json in
                            json.member("line", fault.line)
                            json.member("code", fault.code.rawValue)
                            json.member("detail", fault.detail)
                        }
                    }
                })
        }
    }
}
