import CCurl
import ProviderKit
import SecretMemory

/// Says what a finished transfer means.
enum TransferOutcome {
    /// The outcome of a transfer that libcurl has ended with `code`.
    static func of(_ transfer: Transfer, _ exchange: Exchange, _ code: CURLcode) -> Exchange.Outcome {
        let isEnded = code == CURLE_OK || exchange.isAnswerTooLarge
        let status = transfer.status
        if isEnded, exchange.isHeadWhole, status >= 200 {
            return .success(answer(transfer, exchange, status))
        }
        if isEnded { return .failure(failure(exchange, exchange.isHeadWhole ? .garbled : .broken)) }
        let isDeadlinePassed = exchange.isDeadlinePassed
        if exchange.isAddressRefused, !exchange.isSent,
            code == CURLE_COULDNT_CONNECT || code == CURLE_ABORTED_BY_CALLBACK
        {
            return .failure(.notSent(.forbiddenAddress))
        }
        return .failure(
            failure(exchange, cause(of: code, isSent: exchange.isSent, isDeadlinePassed: isDeadlinePassed)))
    }

    /// The failure of an exchange that ends here and now for that cause.
    static func failure(_ exchange: Exchange, _ cause: TransportFailure.Cause) -> TransportFailure {
        exchange.isSent ? .outcomeUnknown(cause) : .notSent(cause)
    }

    private static func answer(_ transfer: Transfer, _ exchange: Exchange, _ status: Int) -> UpstreamResponse {
        let headers = transfer.answerHeaders()
        // None was asked for, so whatever comes encoded is not read.
        let isEncoded = headers.contains { field in
            field.name == "content-encoding" && !field.value.isEmpty && field.value.lowercased() != "identity"
        }
        let body = exchange.takeAnswer()
        if isEncoded || exchange.isAnswerTooLarge {
            return UpstreamResponse(status: status, headers: headers, body: SecretBytes([]), isBodyWhole: false)
        }
        return UpstreamResponse(status: status, headers: headers, body: body)
    }

    /// What libcurl's code stands for.
    static func cause(of code: CURLcode, isSent: Bool, isDeadlinePassed: Bool) -> TransportFailure.Cause {
        switch meaning(of: code, isSent: isSent, isDeadlinePassed: isDeadlinePassed) {
        // After sending these can only come from libcurl's second try, which never gets to write: the first one broke.
        case .unresolved where isSent, .unreachable where isSent, .tls where isSent, .invalidRequest where isSent:
            .broken
        case let cause: cause
        }
    }

    private static func meaning(of code: CURLcode, isSent: Bool, isDeadlinePassed: Bool) -> TransportFailure.Cause {
        switch code {
        case CURLE_OPERATION_TIMEDOUT:
            isDeadlinePassed ? .deadline : .unreachable
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
            .unresolved
        case CURLE_COULDNT_CONNECT, CURLE_PROXY, CURLE_INTERFACE_FAILED:
            .unreachable
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
            CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT, CURLE_SSL_ENGINE_NOTFOUND,
            CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_CRL_BADFILE, CURLE_USE_SSL_FAILED:
            .tls
        case CURLE_URL_MALFORMAT, CURLE_BAD_FUNCTION_ARGUMENT, CURLE_UNKNOWN_OPTION:
            .invalidRequest
        // Before sending, a protocol that is not allowed; after it, an answer in HTTP/0.9.
        case CURLE_UNSUPPORTED_PROTOCOL:
            isSent ? .garbled : .invalidRequest
        case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_FILESIZE_EXCEEDED:
            .garbled
        // A broken pipe, an early end, a cut body, and libcurl's refusal to send a body again.
        default: .broken
        }
    }
}
