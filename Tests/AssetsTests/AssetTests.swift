import Assets
import FoundationEssentials
import Testing

@Suite("Files in the program are those of the sources")
struct AssetTests {
    @Test(arguments: [
        (Asset.problemStyle, "Sources/Assets/Files/problem.css"), (.apiDescription, "Contracts/openapi.json"),
        (.referenceStyle, "Sources/Assets/Files/reference.css"),
        (.referenceScript, "Sources/Assets/Files/reference.js"),
        (.consolePage, "Sources/Assets/Files/console/index.html"),
        (.consoleApp, "Sources/Assets/Files/console/app.js"),
    ])
    func anAssetIsItsFile(_ asset: Asset, _ path: String) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = try Data(contentsOf: root.appending(path: path))
        #expect(!asset.bytes.isEmpty)
        #expect(asset.bytes == Array(file))
        #expect(asset.text.utf8.count == file.count)
    }
}
