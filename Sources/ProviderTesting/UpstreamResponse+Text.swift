public import ProviderKit
import SecretMemory

extension UpstreamResponse {
    /// An answer whose body is a text.
    public static func answer(_ status: Int, _ body: String, headers: [(name: String, value: String)] = [])
        -> UpstreamResponse
    {
        UpstreamResponse(status: status, headers: headers, body: SecretBytes(utf8: body))
    }

    /// An answer that is a web page.
    public static func html(_ status: Int, _ title: String) -> UpstreamResponse {
        answer(
            status, "<!doctype html><html><head><title>\(title)</title></head><body><h1>\(title)</h1></body></html>",
            headers: [("content-type", "text/html")])
    }

    /// An answer that was larger than the limit.
    public static func oversize(_ status: Int) -> UpstreamResponse {
        UpstreamResponse(status: status, headers: [], body: SecretBytes([]), isBodyWhole: false)
    }
}
