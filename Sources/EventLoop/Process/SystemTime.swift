internal import Glibc

/// The system's time of day.
public enum SystemTime: Sendable {
    /// Milliseconds since 1970 in UTC.
    public static var milliseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
