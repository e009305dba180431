/// Carries one HTTP exchange to a processor.
///
/// It tells three failures apart, because all safe retry rests on it: *not sent* (no byte of the body was handed to a
/// connection), *answered*, and *sent, outcome unknown*. It follows no redirect, never sends a body twice, and leaves
/// the path as it is.
///
/// To fake it in a test, answer from a closure: `ProviderTesting.ScriptedTransport`.
public protocol UpstreamTransport: Sendable {
    /// Sends the request and waits for the whole answer, until the request's deadline.
    ///
    /// A cancelled task ends a request of which nothing has been sent, at once, as `notSent(.cancelled)`. Once a byte of
    /// the body has left, cancellation changes nothing: the answer is still awaited until the deadline, because what it
    /// says decides what the attempt became.
    ///
    /// - Returns: Any answer with a status, whatever the status.
    /// - Throws: ``TransportFailure``, which says whether a byte of the body may have arrived.
    func send(_ request: UpstreamRequest) async throws(TransportFailure) -> UpstreamResponse
}
