import ProviderKit
import Provisioning

/// A clock that stands.
struct FixedClock: WallClock {
    var now = Timestamp(milliseconds: 1_769_854_830_456)
}
