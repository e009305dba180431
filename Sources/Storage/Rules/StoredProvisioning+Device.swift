extension StoredProvisioning {
    /// Notes what the device said, and moves the status where the table allows it.
    ///
    /// The device's own words are kept as they came, and beside them what they mean.
    ///
    /// A device that reports has the answer, so an attempt that still reads `sending` was handed off before.
    mutating func note(_ report: DeviceReport) {
        if status == .sending {
            sentAt = sentAt ?? createdAt
            apply(.handedOff, at: report.at, by: nil)
            timeline.append(
                TimelineStep(
                    at: report.at, step: status.rawValue, source: "device",
                    detail: "The device's report came before the end of the answer was noted."))
        }
        let moves = apply(report.result.event, at: report.at, by: .device)
        var details: [String] = []
        if let domain = report.domain {
            details.append(report.code == nil ? "It is an error of \(domain)." : "The code is one of \(domain).")
        }
        if !moves { details.append("The status stays \(status.rawValue).") }
        let step = TimelineStep(
            at: report.at, step: report.result.rawValue, source: "device", code: report.code,
            detail: details.isEmpty ? nil : details.joined(separator: " "))
        if moves { timeline.append(step) } else { note(step) }
        if let reason = report.reason {
            note(TimelineStep(at: report.at, step: "device_reason", source: "gateway", code: reason.rawValue))
        }
    }
}
