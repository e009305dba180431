import Catalogue
import Gateway
import HTTPClient
import HTTPServer
import Storage

extension Configuration {
    /// The programs and connections for the gateway.
    ///
    /// - Parameter client: Makes the way that events leave by.
    func directory(publicURL: String, client: HTTPClient) -> Directory {
        Directory(
            connections: connections, programs: programs, providers: ProviderCatalogue.all, publicURL: publicURL,
            provisioningDeadline: provisioningDeadline,
            provisioningsPerCardPerMinute: limits.provisioningsPerCardPerMinute, courier: courier(client))
    }

    /// How events leave: to public addresses, and to private ones where that is allowed.
    private func courier(_ client: HTTPClient) -> EventCourier {
        var options = TransportOptions()
        options.allowedAddresses = [.global]
        if allowsPrivateDestinations {
            options.allowedAddresses = [.global, .private, .loopback]
            options.allowPlainHTTPToLoopback = true
            options.allowPlainHTTPToPrivateAddresses = true
        }
        return EventCourier(
            accepts: { [options] in options.accepts(url: $0) }, transport: client.transport(options))
    }

    /// The keys of what is read once, at the start, and is different in `new`.
    func changesThatNeedARestart(to new: Configuration) -> [String] {
        let changes = [
            ("server", server != new.server), ("admin", admin != new.admin), ("store", store != new.store),
            ("root_secrets", rootSecrets != new.rootSecrets),
            ("limits.header_bytes", limits.headerBytes != new.limits.headerBytes),
        ]
        return changes.filter(\.1).map(\.0)
    }

    /// The new configuration, with what is read once left as it is.
    func taking(_ new: Configuration) -> Configuration {
        var taken = new
        taken.server = server
        taken.admin = admin
        taken.store = store
        taken.rootSecrets = rootSecrets
        taken.limits.headerBytes = limits.headerBytes
        return taken
    }
}

extension ListenAddress {
    /// What a listener here bears.
    func serverConfiguration(_ limits: Configuration.Limits) -> HTTPServerConfiguration {
        var configuration = HTTPServerConfiguration(host: host, port: port)
        configuration.headerBytes = limits.headerBytes
        return configuration
    }
}
