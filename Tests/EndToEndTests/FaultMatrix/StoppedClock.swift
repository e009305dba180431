import ProviderKit
import Provisioning
import Sandbox

/// The moment at which it was made: what is sent twice with it is the same to the byte.
struct StoppedClock: WallClock {
    let now = SandboxClock().now
}
