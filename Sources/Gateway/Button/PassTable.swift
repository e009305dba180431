/// What the passes on phone and watch make of the button.
///
/// The rows are the branches of the page's own code, in its order: the first that matches decides. A watch of which nothing
/// is known is not paired, as in that code.
///
/// Upstream reference: step 1 of
/// <https://docs.payments.thalescloud.io/classic-push-provisioning/use-cases/push-provisioning-to-xpay-wallets/ios/push-provisioning>.
enum PassTable {
    /// Which states a row is about.
    enum Match: Sendable {
        case any, absent, present, requiresActivation

        func holds(for state: PassState) -> Bool {
            switch self {
            case .any: true
            case .absent: state == .absent
            case .present: state != .absent
            case .requiresActivation: state == .requiresActivation
            }
        }
    }

    /// One branch.
    struct Row: Sendable {
        let phone: Match
        let watch: Match
        /// Whether a watch must be paired, or must not; nil where it does not matter.
        let watchPaired: Bool?
        let verdict: ButtonVerdict
    }

    static let rows = [
        Row(
            phone: .requiresActivation, watch: .any, watchPaired: nil,
            verdict: .show(.activate, on: .phone, .phonePassRequiresActivation)),
        Row(
            phone: .any, watch: .requiresActivation, watchPaired: nil,
            verdict: .show(.activate, on: .watch, .watchPassRequiresActivation)),
        Row(
            phone: .present, watch: .absent, watchPaired: true,
            verdict: .show(.addToWatch, on: .watch, .watchHasNoPass)),
        Row(phone: .present, watch: .absent, watchPaired: false, verdict: .hide(.noWatchPaired)),
        Row(phone: .absent, watch: .any, watchPaired: nil, verdict: .show(.add, on: .phone, .phoneHasNoPass)),
    ]
    /// The page's last branch: phone and watch have their passes.
    static let otherwise = ButtonVerdict.hide(.bothHavePasses)

    static func verdict(phone: PassState, watch: PassState, watchPaired: Bool) -> ButtonVerdict {
        let row = rows.first { row in
            row.phone.holds(for: phone) && row.watch.holds(for: watch) && row.watchPaired ?? watchPaired == watchPaired
        }
        return row?.verdict ?? otherwise
    }
}
