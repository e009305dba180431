import Crypto
import ProviderKit
import Provisioning
import SecretMemory
import Storage

extension Gateway {
    /// Reads a page of a list, with cursors that only this gateway can make, good for the same query alone: they tell
    /// nothing of other programs, and one that was altered is refused.
    ///
    /// - Parameters:
    ///   - request: Which page, as the caller asked for it.
    ///   - query: What the list is and what it is filtered by.
    ///   - read: Reads the page from the store.
    /// - Throws: `invalid_request` at `/cursor` for any other text.
    func page<Element>(
        _ request: PageRequest, of query: [String?],
        read: (PageRequest) async throws(StoreFailure) -> Page<Element>
    ) async throws(Problem) -> Page<Element> {
        let query = Array(query.map { $0.map { "=\($0)" } ?? "" }.joined(separator: "\n").utf8)
        var request = request
        if let cursor = request.cursor {
            let opened = try? keys.open(cursor, purpose: Self.cursorPurpose, associatedData: query)
            guard let text = opened?.revealText() else { throw Problem(store: .invalidCursor) }
            request.cursor = text
        }
        var page: Page<Element>
        do throws(StoreFailure) { page = try await read(request) } catch { throw Problem(store: error) }
        if let cursor = page.nextCursor {
            do throws(CryptographyFailure) {
                page.nextCursor = try keys.seal(
                    SecretBytes(utf8: cursor), purpose: Self.cursorPurpose, associatedData: query)
            } catch {
                throw Problem(.internalError, detail: "The cursor could not be sealed.")
            }
        }
        return page
    }

    private static var cursorPurpose: String { "cursor" }
}
