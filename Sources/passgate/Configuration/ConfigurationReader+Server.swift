import ConfigurationFile
import Gateway
import ProviderKit
import Provisioning
import SecretMemory
import Storage

extension ConfigurationReader {
    func readPublicURL(_ top: ConnectionSettings) -> String? {
        guard let text = top.text("public_url", required: false) else { return nil }
        let url = BaseURL(text)
        if url == nil { top.problem("public_url", "must be a URL such as https://passgate.example") }
        return url?.description
    }

    func readServer(_ top: ConnectionSettings) -> Configuration.Server {
        var server = Configuration.Server(listen: .facade)
        guard let section = top.section("server") else { return server }
        if let listen = readListen(section) { server.listen = listen }
        if let workers = section.text("workers", required: false), workers != "auto" {
            server.workers = Int(workers).flatMap { Configuration.Server.workerBounds.contains($0) ? $0 : nil }
            if server.workers == nil { section.problem("workers", "must be auto, or a whole number from 1 to 256") }
        }
        server.drainDelay = .milliseconds(section.integer("drain_delay_ms", in: 0...60_000, default: 0))
        return server
    }

    func readAdmin(_ top: ConnectionSettings, _ server: Configuration.Server) -> ListenAddress {
        let fallback = ListenAddress(host: "127.0.0.1", port: 8081)
        let section = top.section("admin")
        let admin = section.flatMap(readListen) ?? fallback
        if admin == server.listen, admin.port != 0 {
            top.problem("admin.listen", "is the facade's own address; metrics and console need another")
        }
        if !admin.isLoopback {
            top.warning("admin.listen", "metrics are open to whoever reaches \(admin); loopback is safer")
        }
        return admin
    }

    private func readListen(_ section: ConnectionSettings) -> ListenAddress? {
        guard let text = section.text("listen", required: false) else { return nil }
        let address = ListenAddress(text)
        if address == nil { section.problem("listen", "must be an IP address and a port, such as 127.0.0.1:8080") }
        return address
    }

    func readStore(_ top: ConnectionSettings) -> Configuration.StoreLocation {
        let fallback = Configuration.StoreLocation.sqlite(path: source.resolver.absolute("passgate.db"))
        guard let secret = top.secret("store", required: false) else { return fallback }
        let text = secret.reveal()
        if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") {
            if PostgreSQLStore.understands(secret) { return .postgreSQL(url: secret) }
            // What is wrong with it cannot be told without a part of it.
            top.problem(
                "store",
                "is no URL that PostgreSQL's library understands: postgres://USER:PASSWORD@HOST/DATABASE, with"
                    + " what is special in a part written as %XX")
            return fallback
        }
        let path = text.hasPrefix("sqlite:") ? text.dropFirst("sqlite:".count) : ""
        guard !path.isEmpty else {
            top.problem("store", "must be sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE")
            return fallback
        }
        return .sqlite(path: source.resolver.absolute(String(path)))
    }

    func readRootSecrets(_ top: ConnectionSettings) -> [SecretBytes] {
        let entries = top.entries("root_secrets")
        if entries.isEmpty, !top.has("root_secrets") {
            top.problem("root_secrets", "is missing: give a list of one; openssl rand -hex 32 makes one")
        } else if entries.isEmpty,
            case .list(let items)? = source.values.first(where: { $0.key == "root_secrets" })?.value,
            items.isEmpty
        {
            top.problem("root_secrets", "is empty: give at least one; openssl rand -hex 32 makes one")
        }
        var secrets: [SecretBytes] = []
        for (key, text) in entries {
            guard let secret = SecretDigits.decode(text), secret.count >= 32 else {
                top.problem(key, "must be at least 32 bytes, in hex or base64; openssl rand -hex 32 makes one")
                continue
            }
            if secrets.contains(secret) { top.problem(key, "is the same as one before it") }
            secrets.append(secret)
        }
        return secrets
    }

    func readDeadline(_ top: ConnectionSettings) -> Duration {
        let milliseconds =
            top.section("deadlines")?.integer("provisioning_ms", in: 100...60_000, default: 15_000) ?? 15_000
        if milliseconds > 20_000 {
            top.warning("deadlines.provisioning_ms", "PassKit gives an app 20000 ms; a later answer comes too late")
        }
        return .milliseconds(milliseconds)
    }

    func readLimits(_ top: ConnectionSettings) -> Configuration.Limits {
        var limits = Configuration.Limits()
        guard let section = top.section("limits") else { return limits }
        limits.bodyBytes = section.integer("body_bytes", in: 1024...16_777_216, default: limits.bodyBytes)
        limits.headerBytes = section.integer("header_bytes", in: 1024...1_048_576, default: limits.headerBytes)
        limits.inFlightPerConnection = section.integer(
            "in_flight_per_connection", in: 1...65_536, default: limits.inFlightPerConnection)
        limits.provisioningsPerCardPerMinute = section.integer(
            "provisionings_per_card_per_minute", in: 1...1_000_000_000, default: limits.provisioningsPerCardPerMinute)
        return limits
    }

    func readRetention(_ top: ConnectionSettings) -> Retention {
        var retention = Retention()
        guard let section = top.section("retention") else { return retention }
        let days = 1...3650
        retention.provisionings = section.integer("provisionings_days", in: days, default: retention.provisionings)
        retention.events = section.integer("events_days", in: days, default: retention.events)
        retention.deliveries = section.integer("deliveries_days", in: days, default: retention.deliveries)
        retention.inbound = section.integer("inbound_days", in: days, default: retention.inbound)
        return retention
    }

    func readDestinations(_ top: ConnectionSettings) -> Bool {
        top.section("event_destinations")?.flag("allow_private", default: false) ?? false
    }
}
