import Provisioning

/// A version of Stripe's API as its header names it: a date, since 2024 with a name after it.
///
/// The answer's form depends on it, so an ephemeral key is made for the version that the app's SDK understands.
struct StripeAPIVersion: Sendable, Hashable, CustomStringConvertible {
    /// As it stands in the header, such as `2020-08-27` or `2026-10-28.endive`.
    let description: String

    /// Nil where the text has another form, or names a day that there is not. What is no version must not reach a header.
    init?(_ text: String) {
        let form = /([0-9]{4}-[0-9]{2}-[0-9]{2})(\.[a-z0-9_]{1,32})?/
        guard let match = text.wholeMatch(of: form), Timestamp(rfc3339: "\(match.1)T00:00:00Z") != nil else {
            return nil
        }
        description = text
    }

    /// The version that the app asked for.
    ///
    /// - Throws: `client_version_required` where it asked for none, `invalid_request` where what it asked for is none.
    init(askedIn request: ProvisioningRequest) throws(ProvisioningError) {
        let pointer = "/client/stripe_api_version"
        guard let text = request.stripeAPIVersion else {
            throw ProvisioningError(
                .clientVersionRequired, outcome: .notSent, pointer: pointer,
                detail: "The card's handoff needs the API version that the app's Stripe SDK asks its key provider for.")
        }
        guard let version = Self(text) else {
            throw ProvisioningError(
                .invalidRequest, outcome: .notSent, pointer: pointer,
                detail: "The version must be a date such as 2020-08-27, or a date and a name such as 2026-10-28.endive."
            )
        }
        self = version
    }
}
