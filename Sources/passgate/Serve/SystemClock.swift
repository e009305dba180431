import EventLoop
import ProviderKit
import Provisioning

/// The system's clock.
struct SystemClock: WallClock {
    var now: Timestamp { Timestamp(milliseconds: SystemTime.milliseconds) }
}
