import ProviderKit
import Provisioning

/// Requests, as Checkout.com spells them.
extension CheckoutConfiguration {
    /// `GET /issuing/cards/{card}`
    func readCard(_ card: PathSegment, _ token: CheckoutAccessTokens.Token, deadline: ContinuousClock.Instant)
        -> UpstreamRequest
    {
        .json(.get, "\(baseURL)/issuing/cards/\(card)", headers: [.bearer(token.text)], deadline: deadline)
    }

    /// `POST /connect/token`, with the client's credentials in the form.
    func requestToken(deadline: ContinuousClock.Instant) -> UpstreamRequest {
        .form(
            accessURL.description,
            members: [
                ("grant_type", SecretText("client_credentials")), ("client_id", clientID),
                ("client_secret", clientSecret), ("scope", scopes),
            ], headers: [], deadline: deadline)
    }
}

/// What is read of a card.
struct CheckoutCard {
    /// Whose it is.
    let cardholderID: String
    /// `active`, `inactive`, `suspended`, `revoked`, or what is yet to come; in lower case.
    let status: String
}

/// Answers, as Checkout.com spells them.
extension UpstreamAnswer {
    /// A card: its holder and its status.
    func checkoutCard() throws(ProvisioningError) -> CheckoutCard {
        guard let status = body["status"]?.string, body["id"]?.string != nil else {
            throw violation("has no id or no status")
        }
        guard let cardholderID = body["cardholder_id"]?.string,
            CheckoutProvider.cardholderIDPattern.matches(cardholderID)
        else { throw violation("has no cardholder_id of the form of Checkout.com's ids") }
        return CheckoutCard(cardholderID: cardholderID, status: status.lowercased())
    }

    /// An access token, and how many seconds it lives.
    func checkoutAccessToken() throws(ProvisioningError) -> (text: SecretText, seconds: Int) {
        let text = try text("access_token", in: body)
        let isSendable = text.bytes.withSpan { span in
            for index in 0..<span.count where !(0x21...0x7e).contains(span[index]) { return false }
            return true
        }
        guard isSendable else { throw violation("has an access_token that no header field can hold") }
        if let type = body["token_type"]?.string, type.lowercased() != "bearer" {
            throw violation("has an access_token of another type than Bearer")
        }
        guard let seconds = body["expires_in"]?.integer, seconds > 0 else {
            throw violation("has no expires_in")
        }
        return (text, seconds)
    }
}
