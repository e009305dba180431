import Provisioning
import Storage

extension RouteTable {
    /// What the console's page may ask for: the gateway's own routes, and two besides. `admin` opens the page;
    /// each route needs its own scope besides.
    static let console = RouteTable([
        Route("GET", "/console/api/overview", .readOverview, .scope(.provisioningRead)),
        Route("GET", "/console/api/errors/{code}", .problemPage, .key, .problemCode),
        Route("GET", "/console/api/connections", .listConnections, .scope(.admin)),
        Route("GET", "/console/api/provisionings", .listProvisionings, .scope(.provisioningRead)),
        Route(
            "GET", "/console/api/provisionings/{id}", .readProvisioning, .scope(.provisioningRead), .provisioning),
        Route(
            "GET", "/console/api/provisionings/{id}/timeline", .readTimeline, .scope(.provisioningRead), .provisioning),
        Route("GET", "/console/api/migrations", .listMigrations, .scope(.cardsRead)),
        Route("GET", "/console/api/migrations/{id}", .readMigration, .scope(.cardsRead), .migration),
        Route("GET", "/console/api/migrations/{id}/report", .migrationReport, .scope(.cardsRead), .migration),
        Route(
            "POST", "/console/api/migrations/{id}/advance", .advanceMigration, .scope(.switchingWrite), .migration,
            body: .json),
        Route(
            "POST", "/console/api/migrations/{id}/pause", .stepMigration(.pause), .scope(.switchingWrite), .migration),
        Route(
            "POST", "/console/api/migrations/{id}/resume", .stepMigration(.resume), .scope(.switchingWrite), .migration),
        Route(
            "POST", "/console/api/migrations/{id}/rollback", .stepMigration(.rollback), .scope(.switchingWrite),
            .migration),
        Route("GET", "/console/api/event_destinations", .listDestinations, .scope(.eventsRead)),
        Route("GET", "/console/api/event_destinations/{id}", .readDestination, .scope(.eventsRead), .destination),
        Route(
            "POST", "/console/api/event_destinations/{id}/replay", .replayEvents, .scope(.eventsWrite), .destination,
            body: .json),
    ])
}
