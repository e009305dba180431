import Gateway
import HTTPServer
import ProviderKit
import Provisioning
import Storage

extension Facade {
    /// A new migration, with what it would cost.
    func openMigration(_ call: Call) async throws(Problem) -> HTTPResponse {
        try refuseQuery(call)
        let idempotencyKey = try HeaderReader(request: call.request).idempotencyKey()
        let body = try RequestBody(call.request.body, with: json)
        let draft = try MigrationBody.read(body, program: call.program)
        let result = try await call.gateway.once(
            claim(idempotencyKey, by: call, body),
            keep: { opened in
                var json = JSONWriter()
                json.migration(opened.migration, preflight: opened.preflight)
                return (201, json.finishText())
            }
        ) { () async throws(Problem) in
            try await call.gateway.openMigration(draft, actor: call.actor)
        }
        return render(result, status: 201) { json, opened in
            json.migration(opened.migration, preflight: opened.preflight)
        }
    }

    func listMigrations(_ call: Call) async throws(Problem) -> HTTPResponse {
        let query = QueryReader(call.request.query, known: ["status", "limit", "cursor"])
        let page = query.page()
        let status: StoredMigration.Status? = query.word("status")
        try query.finish()
        let list = try await call.gateway.migrations(
            MigrationQuery(program: call.program, status: status, page: page))
        return Rendering.json(capacity: 4096) { json in
            json.list(list.elements, nextCursor: list.nextCursor) { $0.migration($1) }
        }
    }

    func readMigration(_ call: Call) async throws(Problem) -> HTTPResponse {
        try refuseQuery(call)
        let migration = try await call.gateway.migration(call.parameter, program: call.program)
        return Rendering.json { $0.migration(migration) }
    }

    /// Lets a cohort grow.
    func advanceMigration(_ call: Call) async throws(Problem) -> HTTPResponse {
        try refuseQuery(call)
        let idempotencyKey = try HeaderReader(request: call.request).idempotencyKey()
        let body = try RequestBody(call.request.body, with: json)
        return try await take(.advance(try MigrationBody.readGrowth(body)), call, idempotencyKey, body)
    }

    /// Takes a step that needs no body; one that comes must be an empty object.
    func stepMigration(_ call: Call, _ action: MigrationStep.Action) async throws(Problem) -> HTTPResponse {
        let (idempotencyKey, body) = try readEmptyBody(call)
        return try await take(action, call, idempotencyKey, body)
    }

    private func take(
        _ action: MigrationStep.Action, _ call: Call, _ idempotencyKey: String?, _ body: RequestBody
    ) async throws(Problem) -> HTTPResponse {
        let result = try await call.gateway.once(
            claim(idempotencyKey, by: call, body),
            keep: { (migration: StoredMigration) in
                var json = JSONWriter()
                json.migration(migration)
                return (200, json.finishText())
            }
        ) { () async throws(Problem) in
            try await call.gateway.take(action, with: call.parameter, program: call.program, actor: call.actor)
        }
        return render(result) { $0.migration($1) }
    }
}
