import SecretMemory

/// The last entry of a trail, in short. Kept elsewhere, it shows later that nothing was cut off.
public struct AuditHead: Sendable, Equatable {
    /// In a program's place, for the trail of what concerns every program: no program's name has such a character.
    public static let allPrograms = "*"

    /// The program that the trail belongs to.
    public let program: String
    /// The entry's place.
    public let sequence: Int64
    /// The entry's digest.
    public let digest: [UInt8]

    /// Makes a head of its members.
    public init(program: String, sequence: Int64, digest: [UInt8]) {
        self.program = program
        self.sequence = sequence
        self.digest = digest
    }

    /// Reads `SEQ:DIGEST`; nil where the text is none.
    public init?(_ text: String, program: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let sequence = Int64(parts[0]), sequence > 0,
            let digest = Hexadecimal.decode(SecretBytes(utf8: String(parts[1])))?.reveal(), !digest.isEmpty
        else { return nil }
        self.init(program: program, sequence: sequence, digest: digest)
    }

    /// `SEQ:DIGEST`, as the log has it.
    public var text: String { "\(sequence):\(Hexadecimal.encode(SecretBytes(digest)).revealText() ?? "")" }
}
