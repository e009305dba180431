public import Provisioning

/// Reads the three forms of date that HTTP allows (RFC 9110, section 5.6.7).
public enum HTTPDate {
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    /// The moment, or nil where the text is none of the forms.
    public static func read(_ text: String) -> Timestamp? {
        let parts = text.lowercased().split { " ,-".contains($0) }
        guard parts.count <= 6, let clock = parts.first(where: { $0.contains(":") }),
            let month = parts.lazy.compactMap({ months.firstIndex(of: String($0)) }).first
        else { return nil }
        let time = clock.split(separator: ":").compactMap { Int($0) }
        let numbers = parts.compactMap { Int($0) }
        guard time.count == 3, numbers.count == 2, (0...23).contains(time[0]), (0...59).contains(time[1]),
            (0...60).contains(time[2]), (1...31).contains(numbers[0]), (0...9999).contains(numbers[1])
        else { return nil }
        let year = numbers[1] < 100 ? numbers[1] + (numbers[1] < 70 ? 2000 : 1900) : numbers[1]
        let days = daysSince1970(year, month + 1, numbers[0])
        return Timestamp(seconds: Int64(days * 86_400 + time[0] * 3600 + time[1] * 60 + time[2]))
    }

    /// Counts years from March, so that the leap day is the last of its year.
    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month < 3 ? year - 1 : year
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    }
}
