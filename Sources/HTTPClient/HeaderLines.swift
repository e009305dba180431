import CCurl
import ProviderKit
import SecretMemory

/// Makes libcurl's list of header lines.
enum HeaderLines {
    /// The fields that say how the message is framed, or how the connection is used: libcurl's business.
    private static let reserved: Set<String> = [
        "connection", "content-length", "expect", "host", "keep-alive", "proxy-connection", "te", "trailer",
        "transfer-encoding", "upgrade",
    ]

    /// The request's fields in their order, and word that libcurl adds none of its own.
    static func make(_ request: UpstreamRequest, hasBody: Bool) throws(InvalidRequest)
        -> UnsafeMutablePointer<curl_slist>?
    {
        var list: UnsafeMutablePointer<curl_slist>?
        do throws(InvalidRequest) {
            // "Name:" is how libcurl is told to leave a field out.
            try append("Expect:", to: &list)
            var names: Set<String> = []
            for header in request.headers {
                let name = header.name.lowercased()
                guard !reserved.contains(name) else { throw InvalidRequest() }
                names.insert(name)
                try append(header, to: &list)
            }
            if !names.contains("accept") { try append("Accept:", to: &list) }
            if !names.contains("content-type") { try append("Content-Type:", to: &list) }
            return list
        } catch {
            passgate_curl_free_headers(list)
            throw error
        }
    }

    private static func append(_ line: String, to list: inout UnsafeMutablePointer<curl_slist>?)
        throws(InvalidRequest)
    {
        guard let longer = curl_slist_append(list, line) else { throw InvalidRequest() }
        list = longer
    }

    private static func append(_ header: UpstreamRequest.Header, to list: inout UnsafeMutablePointer<curl_slist>?)
        throws(InvalidRequest)
    {
        guard !header.name.isEmpty, header.name.utf8.allSatisfy(isTokenByte) else { throw InvalidRequest() }
        let isClean = header.value.bytes.withSpan { span in
            for index in 0..<span.count where span[index] < 0x20 && span[index] != 0x09 || span[index] == 0x7f {
                return false
            }
            return true
        }
        guard isClean else { throw InvalidRequest() }
        var name = header.name
        let longer = name.withUTF8 { name in
            header.value.bytes.withUnsafeBytes { value in
                let value = trimmed(value)
                return passgate_curl_add_header(list, name.baseAddress, name.count, value.baseAddress, value.count)
            }
        }
        guard let longer else { throw InvalidRequest() }
        list = longer
    }

    /// Without white space around it: libcurl takes a value of nothing else as word to leave the field out.
    private static func trimmed(_ value: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var bytes = value[...]
        while let first = bytes.first, first == 0x20 || first == 0x09 { bytes.removeFirst() }
        while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
        return UnsafeRawBufferPointer(rebasing: bytes)
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
