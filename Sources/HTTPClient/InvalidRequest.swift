/// The request cannot be sent as it is: its URL, or a header field, is not allowed.
struct InvalidRequest: Error {}
