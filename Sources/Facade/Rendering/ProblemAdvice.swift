// Made of Contracts/errors.json by `make generate`; a test compares the two.

import Provisioning

extension ProblemCode {
    /// What the caller, or its operator, does next.
    var whatToDo: String {
        switch self {
        case .invalidRequest:
            """
            Read `errors`: each entry names a member by its JSON pointer and says what is wrong with it. \
            Correct those members and send the request again, under a new idempotency key.
            """
        case .malformedJSON:
            """
            Send one JSON object in UTF-8, without a byte order mark, comments, or a member that stands \
            twice.
            """
        case .handshakeInvalid:
            """
            Read `errors` for the member and the form that was seen in it. Pass on what the wallet gave \
            unchanged: the leaf certificate first, then the intermediate. The nonce is not spent, so the \
            same handshake may be sent again once it is right.
            """
        case .ambiguousEncoding:
            """
            Set `apple_pay.encoding` to `base64` or `hex`, whichever the app uses, and send the same \
            handshake again.
            """
        case .clientVersionRequired:
            """
            Send `client.stripe_api_version` as the app's SDK gave it to the key provider. Do not choose one \
            on the server.
            """
        case .programRequired:
            """
            Name the program in the `Passgate-Program` header, or use a key that is confined to one program.
            """
        case .signatureInvalid:
            """
            Compare the connection's `webhook_secrets` with the processor's dashboard, and see that nothing \
            between the processor and the gateway changes the body. The processor sends the delivery again \
            by itself.
            """
        case .walletUnsupported:
            """
            Offer another wallet. `GET /v1/cards/{card}/wallets` says which ones the card can be added to, \
            and the program's `wallets` which ones are switched on.
            """
        case .channelUnsupported:
            """
            Offer the wallet in the app. `GET /v1/capabilities` says which channels each processor serves.
            """
        case .operationUnsupported:
            """
            Leave the operation out for this card's processor. `GET /v1/capabilities` says what each one \
            offers.
            """
        case .handshakeRejected:
            """
            Let the cardholder start again on the device, and send the new handshake once. If fresh \
            handshakes are refused too, the device, the card or the program is not set up for the wallet at \
            the processor.
            """
        case .handshakeReused:
            """
            Let the cardholder start again on the device. Send each handshake once, and give a repeat of the \
            same attempt the same idempotency key.
            """
        case .handoffAlreadyDelivered:
            """
            Use the handoff of the first answer if the app still has it. Otherwise let the cardholder start \
            again on the device, with a new idempotency key.
            """
        case .unauthenticated:
            """
            Send `Authorization: Bearer pgk_…` with a key of this gateway. `passgate keys list` shows which \
            keys are in force.
            """
        case .permissionDenied:
            """
            Use a key with the scope that the route needs, and with this program among its programs.
            """
        case .authenticationRequired:
            """
            Authenticate the cardholder, and send `cardholder.authentication` with the method and the time. \
            `max_authentication_age` of the program says how old it may be.
            """
        case .programNotEnabled:
            """
            Ask the processor to enable wallets, or push provisioning, for the program. No repeat helps \
            before that.
            """
        case .routeNotFound:
            """
            Compare method and path with `/openapi.json`. A path is taken as it is: a slash too many leads \
            nowhere.
            """
        case .cardNotFound:
            """
            Register the card with `PUT /v1/cards/{card}`, or correct its id, the program, or the \
            cardholder's id. A card of another program answers the same.
            """
        case .provisioningNotFound:
            """
            Correct the id or the program. `GET /v1/provisionings?card=…` lists a card's attempts.
            """
        case .tokenNotFound:
            """
            Correct the id or the program. `GET /v1/cards/{card}/tokens` lists a card's tokens.
            """
        case .eventNotFound:
            """
            Correct the id or the program. Events are kept for as long as `retention.events_days` says.
            """
        case .destinationNotFound:
            """
            Correct the id or the program. `GET /v1/event_destinations` lists the destinations.
            """
        case .migrationNotFound:
            """
            Correct the id or the program. `GET /v1/migrations` lists the migrations.
            """
        case .connectionNotFound:
            """
            Name a connection of the configuration that is among the program's `connections`.
            """
        case .programNotFound:
            """
            Name a program of the configuration that the key covers.
            """
        case .methodNotAllowed:
            """
            Use a method from the answer's `Allow` header.
            """
        case .payloadTooLarge:
            """
            Send less than `limits.body_bytes`, 256 KiB unless the configuration says otherwise, and say the \
            length in `Content-Length`.
            """
        case .unsupportedMediaType:
            """
            Send `Content-Type: application/json`, or `application/x-ndjson` for an import.
            """
        case .headersTooLarge:
            """
            Send fewer or shorter header fields: together under `limits.header_bytes`, 16 KiB unless the \
            configuration says otherwise.
            """
        case .bindingMissing:
            """
            Give the card an active binding with `PUT /v1/cards/{card}/bindings/{connection}`.
            """
        case .bindingConflict:
            """
            Read the card. To replace the card at the processor, use `PUT \
            /v1/cards/{card}/bindings/{connection}`; a card at the processor that belongs to another card of \
            the platform cannot be bound twice.
            """
        case .migrationConflict:
            """
            Read the migration's status. A program has one open or paused migration at a time; a paused one \
            is resumed before it grows, and a shadow one is rolled back before a live one begins.
            """
        case .migrationWouldStrandCards:
            """
            Give the listed cards standby bindings at the other connection, or accept the loss with \
            `allow_stranded`.
            """
        case .tokenTransitionInvalid:
            """
            Read the token. Only an active token can be suspended, and only a suspended one resumed; a \
            deleted one stays so.
            """
        case .handoffUnsupportedByApp:
            """
            Ask the cardholder to update the app, or ship a build that knows the handoff and names it in \
            `accept`.
            """
        case .planExpired:
            """
            Call `GET /v1/cards/{card}/wallets` again and send its plan, or leave `plan` out.
            """
        case .alreadyProvisioned:
            """
            Show the card as added. If the app does not see it, look into the wallet before asking again.
            """
        case .idempotencyKeyInUse:
            """
            Wait for as long as `retry_after` says, then send the same request with the same key.
            """
        case .idempotencyKeyReused:
            """
            Use a new key for a new request. Keys are remembered for 24 hours for each program, method and \
            path.
            """
        case .cardIneligible:
            """
            Hide the button for this card. `reason` is the processor's word for why; blocked, expired and \
            closed cards are the usual ones.
            """
        case .deviceIneligible:
            """
            Tell the cardholder that this device cannot take the card. Another device may.
            """
        case .providerRejected:
            """
            Look at `provider.status`, `provider.code` and `provider.request_id`, and ask the processor \
            about that request. The same request will be refused again.
            """
        case .providerCardNotFound:
            """
            Compare the binding's `provider_card_id`, and the connection's environment, with the processor's \
            dashboard.
            """
        case .rateLimited:
            """
            Wait for as long as `retry_after` says, then send the same request. A card has \
            `limits.provisionings_per_card_per_minute`.
            """
        case .overloaded:
            """
            Wait for as long as `retry_after` says, then send the same request. If it lasts, raise the \
            connection's `in_flight` or look why the processor is slow.
            """
        case .providerUnavailable:
            """
            Follow `retry`: what was not sent, or may be sent again, can be tried after a while; where the \
            handshake is spent, let the cardholder start again. `outcome` says whether something may have \
            happened.
            """
        case .providerRateLimited:
            """
            Follow `retry`, and wait for as long as `retry_after` says. If it lasts, ask the processor for a \
            higher limit, or set the connection's `rate_per_second`.
            """
        case .providerTimeout:
            """
            Follow `retry`. Where it is `check_wallet_first`, the card may have been added: look into the \
            wallet, and read the provisioning, which settles when a token is seen.
            """
        case .providerUnauthorized:
            """
            Correct the connection's credentials: a key that was rotated or revoked, or one of the other \
            environment. `passgate doctor` tries them.
            """
        case .providerContractViolation:
            """
            Keep `provider.request_id` and tell the processor, or report it as a fault of the adapter. \
            Follow `retry` for this one request.
            """
        case .internalError:
            """
            Follow `retry`, and look for the request id in the gateway's log. If it comes again, report it.
            """
        }
    }
}

extension RetryClass {
    /// What the class asks for.
    var whatToDo: String {
        switch self {
        case .fixRequest:
            """
            Change the request, then send it again.
            """
        case .sameRequest:
            """
            Send the same request again.
            """
        case .afterDelay:
            """
            Wait, then send the same request again.
            """
        case .freshHandshake:
            """
            Start over on the device, with a new handshake.
            """
        case .checkWalletFirst:
            """
            Look whether the card is in the wallet; if not, start over with a new handshake.
            """
        case .treatAsSuccess:
            """
            Nothing: it is as asked.
            """
        case .never:
            """
            Do not send it again; a person has to look.
            """
        }
    }
}
