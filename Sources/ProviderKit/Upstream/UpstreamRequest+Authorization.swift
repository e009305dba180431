public import SecretMemory

extension UpstreamRequest.Header {
    /// `Authorization: Bearer …`
    public static func bearer(_ token: SecretText) -> Self {
        var builder = SecretBuilder(capacity: token.bytes.count + 8)
        builder.append("Bearer ")
        builder.append(token.bytes)
        return authorization(builder.finish())
    }

    /// `Authorization: Basic …`, of a user and a password.
    public static func basic(user: SecretText, password: SecretText) -> Self {
        var pair = SecretBuilder(capacity: user.bytes.count + password.bytes.count + 1)
        pair.append(user.bytes)
        pair.append(0x3a)
        pair.append(password.bytes)
        var builder = SecretBuilder(capacity: 128)
        builder.append("Basic ")
        builder.append(Base64.encode(pair.finish()))
        return authorization(builder.finish())
    }

    /// Both parts are text, so the whole is.
    private static func authorization(_ value: SecretBytes) -> Self {
        Self("Authorization", SecretText(utf8: value) ?? SecretText(""))
    }
}
