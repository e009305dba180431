/// Places of a request that a caller can put anything into.
enum CanaryRequests {
    /// Bodies of a provisioning request, with `@` where the value goes, by the member's pointer.
    static let provisionings: [(pointer: String, body: String)] =
        [
            ("/wallet", #"{"wallet":"@"}"#),
            ("/channel", #"{"wallet":"google_pay","channel":"@"}"#),
            ("/origin", #"{"wallet":"google_pay","origin":"@"}"#),
            ("/accept/0", #"{"wallet":"google_pay","accept":["@"]}"#),
            ("/plan", #"{"wallet":"google_pay","plan":"@"}"#),
            ("/cardholder/id", #"{"wallet":"google_pay","cardholder":{"id":"@"}}"#),
            ("/cardholder/authentication/method", google(#""method":"@","authenticated_at":"#)),
            (
                "/cardholder/authentication/authenticated_at",
                #"{"wallet":"google_pay","cardholder":{"id":"user_1","authentication":{"authenticated_at":"@"}}}"#
            ),
            ("/client/stripe_api_version", #"{"wallet":"google_pay","client":{"stripe_api_version":"@"}}"#),
            ("/thales/encrypted_payload", #"{"wallet":"google_pay","thales":{"encrypted_payload":"@"}}"#),
            ("/google_pay/wallet_id", google(wallet: "@")),
            ("/google_pay/device_id", google(device: "@")),
            ("/google_pay/server_session_id", google(session: #","server_session_id":"@""#)),
            ("/apple_pay/certificates/0", apple(certificates: #"["@","@"]"#)),
            ("/apple_pay/certificates", apple(certificates: #""[\"@\"]""#)),
            ("/apple_pay/nonce", apple(nonce: "@")),
            ("/apple_pay/nonce_signature", apple(signature: "@")),
            ("/apple_pay/encoding", apple(encoding: "@")),
            ("a member's name", #"{"wallet":"google_pay","@":1}"#),
            ("a number", #"{"wallet":@}"#),
            ("text that is no JSON", #"{"wallet":"@"#),
            ("a member that stands twice", #"{"wallet":"@","wallet":"@"}"#),
        ]

    /// Bodies of `PUT /v1/cards/{card}`.
    static let cards: [(pointer: String, body: String)] = [
        ("/binding/connection", card(connection: "@")), ("/binding/provider_card_id", card(id: "@")),
        ("/binding/last4", card(last4: "@")), ("/binding/network", card(network: "@,")),
        ("/binding/provider_cardholder_id", card(id: "@ @")),
        ("/art_url", #"{"art_url":"http://@:x"}"#), ("/metadata", #"{"metadata":"@"}"#),
    ]

    /// Header fields, with `@` where the value goes. The trace's id is too short to be one: a whole one is passed on.
    static let headers = [
        ("Authorization", "Bearer pgk_@"), ("Authorization", "@"), ("Idempotency-Key", "@"), ("Passgate-Program", "@"),
        ("Passgate-Deadline", "@"), ("traceparent", "00-@-@-01"), ("tracestate", "v=@"), ("User-Agent", "agent/@"),
        ("Cookie", "session=@"), ("X-Forwarded-For", "@"), ("Request-Id", "@"), ("X-Request-Id", "@"),
        ("Accept", "text/@"), ("Referer", "https://app.example/@"), ("X-Canary", "@"),
    ]

    /// Paths and queries, with `@` where the value goes.
    static let paths = [
        "/v1/@", "/v1/tokens/@", "/v1/provisionings/@", "/v1/provisionings/@/timeline", "/v1/events/@",
        "/v1/migrations/@", "/v1/event_destinations/@", "/v1/cards/@", "/v1/cards/@/wallets", "/errors/@",
        "/v1/cards/card_increase/wallets?wallet=@", "/v1/cards/card_increase/wallets?accept=@", "/v1/cards?cursor=@",
        "/v1/cards?limit=@", "/v1/provisionings?status=@", "/v1/provisionings?card=@", "/v1/events?type=@",
        "/v1/cards?@=1",
    ]

    private static func google(
        _ authentication: String = #""method":"passkey","authenticated_at":"#, wallet: String = "wallet-1",
        device: String = "device-1", session: String = ""
    ) -> String {
        """
        {"wallet":"google_pay","cardholder":{"id":"user_1","authentication":{\(authentication)"#"}},\
        "google_pay":{"wallet_id":"\(wallet)","device_id":"\(device)"\(session)}}
        """
    }

    private static func apple(
        certificates: String = #"["QUJD","QUJE"]"#, nonce: String = "QUJDREVGR0g=", signature: String = "QUJDREVGR0g=",
        encoding: String = "base64"
    ) -> String {
        """
        {"wallet":"apple_pay","cardholder":{"id":"user_1","authentication":{"method":"passkey",\
        "authenticated_at":"#"}},"apple_pay":{"certificates":\(certificates),"nonce":"\(nonce)",\
        "nonce_signature":"\(signature)","encoding":"\(encoding)"}}
        """
    }

    private static func card(
        connection: String = "increase_demo", id: String = "sandbox_card_canary", last4: String = "1881",
        network: String = "visa"
    ) -> String {
        """
        {"binding":{"connection":"\(connection)","provider_card_id":"\(id)","last4":"\(last4)",\
        "network":"\(network)"},"cardholder":{"id":"user_1","name":"Ian Crease"}}
        """
    }
}
