import SecretMemory
import Synchronization

/// How the texts are written that variables were put into.
final class ExpandedTexts: Sendable {
    private let texts = Mutex<[(text: SecretText, written: SecretBytes)]>([])

    /// Notes what became of a text.
    func add(_ text: SecretText, writtenAs written: SecretBytes) {
        texts.withLock { $0.append((text, written)) }
    }

    /// How the text is written in the configuration; nil where it stands there as it is.
    func written(for text: String) -> String? {
        let text = SecretText(text)
        return texts.withLock { texts in texts.first { $0.text == text }?.written.revealText() }
    }
}
