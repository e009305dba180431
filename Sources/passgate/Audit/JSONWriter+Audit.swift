import ProviderKit
import Storage

extension JSONWriter {
    /// Writes what is wrong with the trails.
    mutating func auditReports(_ reports: [AuditReport]) {
        object { json in
            json.member("whole", reports.allSatisfy(\.isWhole))
            json.member("trails", array: { json in for report in reports { json.auditReport(report) } })
        }
    }

    private mutating func auditReport(_ report: AuditReport) {
        object { json in
            json.member("program", report.program)
            json.member("entries", Int(report.entries))
            json.member("head", report.head?.text)
            json.member("whole", report.isWhole)
            json.member("finding_count", report.findingCount)
            json.member(
                "findings",
                array: { json in
                    for finding in report.findings {
                        json.object { json in
                            json.member("first", Int(finding.first))
                            json.member("last", Int(finding.last))
                            json.member("fault", finding.fault.word)
                            json.member("detail", finding.fault.words)
                        }
                    }
                })
        }
    }
}
