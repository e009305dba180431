import CMicrohttpd
import EventLoop
import Glibc
import SecretMemory

/// Reading a request out of the library, and starting its handler.
extension HTTPWorker {
    /// A body that nobody wants is read and dropped up to this size, so that the connection can be kept.
    private static let droppedBodyLimit: UInt64 = 65_536

    /// The library's access handler: called once for the head, once for each piece of the body, and then until there
    /// is an answer.
    func access(
        _ connection: HTTPConnection, _ handle: OpaquePointer, _ text: RequestText,
        _ upload: UnsafePointer<CChar>?, _ size: UnsafeMutablePointer<Int>
    ) -> MHD_Result {
        guard let exchange = connection.exchange, connection.phase == .engaged, !connection.isGone else {
            return .NO
        }
        switch exchange.stage {
        case .started:
            return begin(connection, exchange, handle, text)
        case .receiving where size.pointee > 0:
            guard let upload else { return .NO }
            let piece = UnsafeBufferPointer(start: upload, count: size.pointee)
            size.pointee = 0
            return receive(connection, exchange, piece)
        case .receiving:
            exchange.stage = .received
            return receivedAll(connection, exchange, handle)
        case .received:
            if let response = exchange.response.take() { return queue(response, connection, exchange, handle) }
            if !connection.isSuspended { suspend(connection, handle) }
            return .YES
        case .answering:
            return .YES
        }
    }

    // MARK: The head

    private func begin(
        _ connection: HTTPConnection, _ exchange: HTTPExchange, _ handle: OpaquePointer, _ text: RequestText
    ) -> MHD_Result {
        exchange.stage = .receiving
        var fields = FieldReader(checking: connection.head == nil ? text : nil, exchange)
        fields.read(handle)
        let head: RequestHead
        switch connection.head.map(HeadReading.complete) ?? fields.conclude(bytes: passgate_mhd_head_bytes(handle)) {
        case .complete(let sound): head = sound
        case .refused(let refusal): return refuseAtOnce(refusal, connection, exchange, handle)
        case .incomplete: return refuseAtOnce(.malformed("the head is cut"), connection, exchange, handle)
        }
        exchange.hasBody = head.body != .none
        exchange.wireBytes = UInt64(head.bytes)
        exchange.clientKeeps = fields.clientKeeps && text.version?[7] == 0x31
        if case .length(let length) = head.body { exchange.wireBytes += length }
        if head.body == .chunked {
            // The library takes chunks that another reader would cut elsewhere: what follows them is no request of ours.
            exchange.isLast = true
            exchange.isChunked = true
            connection.lingers = true
            settleLater(connection)
        }
        if ledger.isDraining { return refuseAtOnce(.draining, connection, exchange, handle) }
        ledger.requestBegan()
        exchange.isCounted = true
        let request = HTTPRequest(
            method: text.method.map { String(cString: $0) } ?? "", path: exchange.path, query: exchange.query,
            headers: fields.fields, remoteAddress: connection.remoteAddress, receivedAt: exchange.receivedAt)
        switch handler.bodyPolicy(for: request) {
        case .refuse(let response):
            return answerUnread(response, head, connection, exchange, handle)
        case .collect(let limit):
            if case .length(let length) = head.body, length > UInt64(max(limit, 0)) {
                return answerUnread(handler.refusal(.payloadTooLarge), head, connection, exchange, handle)
            }
            exchange.head = request
            exchange.limit = limit
            if case .length(let length) = head.body {
                // The announced length is only a claim: room is made for so much at once, and for the rest as it comes.
                exchange.body = SecretBuilder(capacity: Int(min(length, Self.droppedBodyLimit)))
            } else if head.body == .chunked {
                exchange.body = SecretBuilder()
            }
        case .stream:
            // Safe to send: it is touched on the loop alone, see `readFurther`.
            nonisolated(unsafe) weak let weakConnection = connection
            let pipe = BodyPipe { [weak self] in
                if let self, let weakConnection { readFurther(weakConnection) }
            }
            exchange.pipe = pipe
            let stream = HTTPBodyStream { () async throws(HTTPBodyError) in try await pipe.next() }
            start(exchange, connection, request.with(stream: stream))
        }
        return .YES
    }

    /// Answers before the body has been read: after it, where it is small, so that the connection can be kept.
    private func answerUnread(
        _ response: HTTPResponse, _ head: RequestHead, _ connection: HTTPConnection, _ exchange: HTTPExchange,
        _ handle: OpaquePointer
    ) -> MHD_Result {
        let isSmall =
            switch head.body {
            case .none: true
            case .length(let length): length <= Self.droppedBodyLimit && !head.expectsContinue
            case .chunked: false
            }
        if isSmall && response.fault == nil {
            exchange.response = response
            return .YES
        }
        connection.lingers = exchange.hasBody
        return queue(response, connection, exchange, handle)
    }

    private func refuseAtOnce(
        _ refusal: HTTPRefusal, _ connection: HTTPConnection, _ exchange: HTTPExchange, _ handle: OpaquePointer
    ) -> MHD_Result {
        var response = handler.refusal(refusal)
        response.closesConnection = true
        connection.lingers = true
        return queue(response, connection, exchange, handle)
    }

    // MARK: The body

    private func receive(
        _ connection: HTTPConnection, _ exchange: HTTPExchange, _ piece: UnsafeBufferPointer<CChar>
    ) -> MHD_Result {
        let bytes = UnsafeRawBufferPointer(piece).assumingMemoryBound(to: UInt8.self)
        // The library gives the piece up with this call; what it leaves in its buffer is wiped here.
        defer {
            if let base = bytes.baseAddress { explicit_bzero(UnsafeMutablePointer(mutating: base), bytes.count) }
        }
        exchange.bodyBytes += UInt64(bytes.count)
        if let pipe = exchange.pipe {
            pipe.push(SecretBytes(copying: bytes))
            exchange.noteStreamed(bytes.count, patience: configuration.bodyDeadline)
            settleLater(connection)
            return .YES
        }
        guard exchange.body != nil else { return .YES }
        if exchange.bodyBytes > UInt64(max(exchange.limit, 0)) {
            exchange.body = nil
            return answerAndClose(handler.refusal(.payloadTooLarge), connection, exchange)
        }
        exchange.body?.append(Span(_unsafeElements: bytes))
        return .YES
    }

    /// Answers from within the library, in the midst of a body: it takes no answer then, only the order to close.
    private func answerAndClose(
        _ response: HTTPResponse, _ connection: HTTPConnection, _ exchange: HTTPExchange
    ) -> MHD_Result {
        let isWritten = RawAnswer(response).send(to: connection.descriptor)
        response.onDelivery?(isWritten ? .written : .failed)
        connection.lingers = true
        connection.phase = .leaving
        return .NO
    }

    private func receivedAll(
        _ connection: HTTPConnection, _ exchange: HTTPExchange, _ handle: OpaquePointer
    ) -> MHD_Result {
        exchange.pipe?.end()
        if let response = exchange.response.take() { return queue(response, connection, exchange, handle) }
        if let request = exchange.head.take() {
            let body = exchange.body.take()?.finish()
            start(exchange, connection, body.map { request.with(body: $0) } ?? request)
        }
        return .YES
    }

    /// The handler asks for more of a body.
    private func readFurther(_ connection: HTTPConnection) {
        guard loop.isCurrent else {
            // Safe to send: it is touched on the loop again.
            nonisolated(unsafe) let connection = connection
            return loop.execute { self.readFurther(connection) }
        }
        guard connection.isSuspended, !connection.isHeld, let exchange = connection.exchange,
            exchange.stage == .receiving,
            let handle = connection.handle
        else { return }
        if let pausedAt = exchange.pausedAt.take() { exchange.bodyDeadline += ContinuousClock.now - pausedAt }
        resume(connection, handle)
    }

    // MARK: The handler

    private func start(_ exchange: HTTPExchange, _ connection: HTTPConnection, _ request: HTTPRequest) {
        hasStartedTask = true
        // Safe to send: the task runs on this loop, whose thread alone touches the connection.
        nonisolated(unsafe) let connection = connection
        exchange.task = loop.run { [self] in
            let response = await handler.respond(to: request)
            loop.preconditionIsCurrent()
            exchange.task = nil
            answered(response, connection, exchange)
        }
    }

    private func answered(_ response: HTTPResponse, _ connection: HTTPConnection, _ exchange: HTTPExchange) {
        guard !exchange.isDetached, connection.phase == .engaged, !connection.isGone else {
            response.onDelivery?(.failed)
            exchange.response = nil
            return finishCounting(exchange)
        }
        if exchange.stage == .receiving {
            // The handler has answered before the body was whole: the rest of it is not read.
            return answer(connection, response)
        }
        exchange.response = response
        wantsRun = true
        if connection.isSuspended, let handle = connection.handle { resume(connection, handle) }
    }

    /// The request is no longer in flight once its answer is delivered and its handler has returned.
    func finishCounting(_ exchange: HTTPExchange) {
        guard exchange.isCounted, exchange.isDetached, exchange.task == nil else { return }
        exchange.isCounted = false
        ledger.requestEnded()
    }
}

extension HTTPRequest {
    /// The same request with its body.
    func with(body: SecretBytes = SecretBytes([]), stream: HTTPBodyStream? = nil) -> HTTPRequest {
        HTTPRequest(
            method: method, path: path, query: query, headers: headers, body: body, bodyStream: stream,
            remoteAddress: remoteAddress, receivedAt: receivedAt)
    }
}
