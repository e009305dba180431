import JSON
public import ProviderConformance
import ProviderKit
import SecretMemory

extension Replay {
    /// Plays a situation back: as the fixture shows it, or made from what a success looks like.
    public convenience init(_ fixture: Fixture, situation: Situation, success: Fixture) {
        let answer = success.exchanges.last?.response ?? .answer(200, "")
        self.init(fixture, ending: Ending(situation, success: answer))
    }
}

extension Replay.Ending {
    /// How a situation ends, given what a success looks like.
    init(_ situation: Situation, success: UpstreamResponse) {
        self =
            switch situation.spoiling {
            case nil: .recorded
            case .rewritten(let rewriting):
                .success(success, (try? JSONParser().parse(success.body))?.root.rewritten(rewriting))
            case .halved:
                .success(success, SecretBytes(Array(success.body.reveal().prefix(success.body.count / 2))))
            case .oversize: .answer(.oversize(success.status))
            case .replaced(let status, let contentType, let body, let location):
                .answer(
                    .answer(
                        status ?? success.status, body,
                        headers: [("content-type", contentType)] + (location.map { [("location", $0)] } ?? [])))
            case .failure(let failure): .failure(failure)
            case .silence: .silence
            }
    }

    private static func success(_ success: UpstreamResponse, _ body: SecretBytes?) -> Self {
        .answer(UpstreamResponse(status: success.status, headers: success.headers, body: body ?? SecretBytes([])))
    }
}
