/// The status, title, meaning and retry classes of each code.
extension ProblemCode {
    /// A row of the catalogue.
    public struct Entry: Sendable, Equatable {
        /// The HTTP status of the answer.
        public let status: Int
        /// A few words for people.
        public let title: String
        /// What the code means, in plain sentences.
        public let meaning: String
        /// What to do next, by what had happened; a situation that cannot be is absent.
        public let retry: [RetrySituation: RetryClass]

        init(
            _ status: Int, _ notSent: RetryClass?, _ repeatable: RetryClass?, _ singleUse: RetryClass?, _ title: String,
            _ meaning: String
        ) {
            self.status = status
            self.title = title
            self.meaning = meaning
            var retry: [RetrySituation: RetryClass] = [:]
            retry[.notSent] = notSent
            retry[.sentRepeatable] = repeatable
            retry[.sentSingleUse] = singleUse
            self.retry = retry
        }
    }

    /// What to do next. A situation that the table leaves out takes the nearest one that it has.
    public func retry(in situation: RetrySituation) -> RetryClass {
        let row = entry.retry
        return row[situation] ?? row[.notSent] ?? row[.sentRepeatable] ?? .never
    }

    /// The key of a text for the cardholder, for an app to translate.
    public var userMessageKey: String { "passgate.\(rawValue)" }

    /// This code's row.
    public var entry: Entry {
        switch self {
        case .invalidRequest:
            Entry(
                400, .fixRequest, nil, nil, "Invalid request",
                "A member of the request is missing, unknown or not of its form.")
        case .malformedJSON:
            Entry(
                400, .fixRequest, nil, nil, "Malformed JSON",
                "The body is not one JSON object in UTF-8.")
        case .handshakeInvalid:
            Entry(
                400, .fixRequest, nil, nil, "Invalid handshake",
                "What the device's wallet gave is not of its form. Nothing was sent; the nonce is not spent.")
        case .ambiguousEncoding:
            Entry(
                400, .fixRequest, nil, nil, "Ambiguous encoding",
                "The value reads as base64 and as hex. Declare the encoding. Nothing was sent.")
        case .clientVersionRequired:
            Entry(
                400, .fixRequest, nil, nil, "Client version required",
                "The handoff needs the API version that the app's SDK asked for.")
        case .programRequired:
            Entry(
                400, .fixRequest, nil, nil, "Program required",
                "The key covers several programs. Name one in the Passgate-Program header.")
        case .signatureInvalid:
            Entry(
                401, .never, nil, nil, "Signature invalid",
                "The delivery's signature does not fit its bytes.")
        case .walletUnsupported:
            Entry(
                400, .never, .never, .never, "Wallet unsupported",
                "The card's processor or program does not serve this wallet.")
        case .channelUnsupported:
            Entry(
                400, .never, .never, .never, "Channel unsupported",
                "The card's processor does not serve this wallet on this channel.")
        case .operationUnsupported:
            Entry(
                400, .never, .never, .never, "Operation unsupported",
                "The card's processor does not offer this operation.")
        case .handshakeRejected:
            Entry(
                400, nil, .freshHandshake, .freshHandshake, "Handshake rejected",
                "The processor did not accept the handshake. Start over on the device.")
        case .handshakeReused:
            Entry(
                409, .freshHandshake, nil, nil, "Handshake reused",
                "This handshake was used before. Start over on the device.")
        case .handoffAlreadyDelivered:
            Entry(
                409, .freshHandshake, nil, nil, "Handoff already delivered",
                "This request has had its handoff, which is never kept. Start over on the device.")
        case .unauthenticated:
            Entry(
                401, .never, nil, nil, "Unauthenticated",
                "The API key is missing or not known.")
        case .permissionDenied:
            Entry(
                403, .never, nil, nil, "Permission denied",
                "The API key does not cover this.")
        case .authenticationRequired:
            Entry(
                403, .fixRequest, nil, nil, "Authentication required",
                "The cardholder's authentication is missing or too old. Authenticate the cardholder again.")
        case .programNotEnabled:
            Entry(
                403, .never, .never, .never, "Program not enabled",
                "The processor has not enabled wallets for this program.")
        case .routeNotFound:
            Entry(
                404, .never, nil, nil, "Route not found",
                "There is no such route.")
        case .cardNotFound:
            Entry(
                404, .never, nil, nil, "Card not found",
                "There is no such card.")
        case .provisioningNotFound:
            Entry(
                404, .never, nil, nil, "Provisioning not found",
                "There is no such provisioning.")
        case .tokenNotFound:
            Entry(
                404, .never, nil, nil, "Token not found",
                "There is no such token.")
        case .eventNotFound:
            Entry(
                404, .never, nil, nil, "Event not found",
                "There is no such event.")
        case .destinationNotFound:
            Entry(
                404, .never, nil, nil, "Destination not found",
                "There is no such event destination.")
        case .migrationNotFound:
            Entry(
                404, .never, nil, nil, "Migration not found",
                "There is no such migration.")
        case .connectionNotFound:
            Entry(
                404, .never, nil, nil, "Connection not found",
                "There is no such connection.")
        case .programNotFound:
            Entry(
                404, .never, nil, nil, "Program not found",
                "There is no such program.")
        case .methodNotAllowed:
            Entry(
                405, .fixRequest, nil, nil, "Method not allowed",
                "The route does not take this method.")
        case .payloadTooLarge:
            Entry(
                413, .fixRequest, nil, nil, "Payload too large",
                "The body is larger than the limit.")
        case .unsupportedMediaType:
            Entry(
                415, .fixRequest, nil, nil, "Unsupported media type",
                "The body's media type is not what the route takes.")
        case .headersTooLarge:
            Entry(
                431, .fixRequest, nil, nil, "Headers too large",
                "The headers are larger than the limit.")
        case .bindingMissing:
            Entry(
                409, .fixRequest, nil, nil, "Binding missing",
                "The card has no active binding.")
        case .bindingConflict:
            Entry(
                409, .fixRequest, nil, nil, "Binding conflict",
                "The binding differs from what the card has, or its provider card is bound already.")
        case .migrationConflict:
            Entry(
                409, .fixRequest, nil, nil, "Migration conflict",
                "The migration's state does not allow this step.")
        case .migrationWouldStrandCards:
            Entry(
                409, .fixRequest, nil, nil, "Migration would strand cards",
                "Some cards of the cohort could not be served at the other side.")
        case .tokenTransitionInvalid:
            Entry(
                409, .fixRequest, nil, nil, "Token transition invalid",
                "The token's state does not allow this change.")
        case .handoffUnsupportedByApp:
            Entry(
                409, .fixRequest, nil, nil, "Handoff unsupported by app",
                "The app build does not know the handoff that this card needs.")
        case .planExpired:
            Entry(
                409, .fixRequest, nil, nil, "Plan expired",
                "The plan is too old. Ask for the card's wallets again.")
        case .alreadyProvisioned:
            Entry(
                409, nil, .treatAsSuccess, .treatAsSuccess, "Already provisioned",
                "The card is in this wallet already.")
        case .idempotencyKeyInUse:
            Entry(
                409, .afterDelay, nil, nil, "Idempotency key in use",
                "A request with this key is still running.")
        case .idempotencyKeyReused:
            Entry(
                422, .fixRequest, nil, nil, "Idempotency key reused",
                "This key was used with another request.")
        case .cardIneligible:
            Entry(
                422, .never, .never, .never, "Card ineligible",
                "The processor does not allow this card in the wallet.")
        case .deviceIneligible:
            Entry(
                422, .never, .never, .never, "Device ineligible",
                "The processor does not allow this device.")
        case .providerRejected:
            Entry(
                422, .never, .never, .never, "Provider rejected",
                "The processor refused the request.")
        case .providerCardNotFound:
            Entry(
                422, .never, .never, .never, "Provider card not found",
                "The processor does not know this card.")
        case .rateLimited:
            Entry(
                429, .afterDelay, nil, nil, "Rate limited",
                "Too many requests. Wait and try again.")
        case .overloaded:
            Entry(
                503, .afterDelay, nil, nil, "Overloaded",
                "The gateway is at its limit. Nothing was sent.")
        case .providerUnavailable:
            Entry(
                503, .afterDelay, .afterDelay, .freshHandshake, "Provider unavailable",
                "The processor could not be reached or failed.")
        case .providerRateLimited:
            Entry(
                503, .afterDelay, .afterDelay, .freshHandshake, "Provider rate limited",
                "The processor limits the rate of requests.")
        case .providerTimeout:
            Entry(
                504, .afterDelay, .sameRequest, .checkWalletFirst, "Provider timeout",
                "The processor did not answer in time.")
        case .providerUnauthorized:
            Entry(
                502, .never, .never, .never, "Provider unauthorized",
                "The processor does not accept the connection's credentials.")
        case .providerContractViolation:
            Entry(
                502, nil, .afterDelay, .freshHandshake, "Provider contract violation",
                "The processor's answer is not what its contract says.")
        case .internalError:
            Entry(
                500, .afterDelay, .afterDelay, .checkWalletFirst, "Internal error",
                "The gateway failed.")
        }
    }
}
