import Testing

@testable import HTTPClient

/// Which addresses are whose.
@Suite struct AddressClassTests {
    @Test(arguments: [
        ("93.184.216.34", AddressClass.global), ("1.1.1.1", .global), ("9.255.255.255", .global),
        ("11.0.0.0", .global), ("100.63.255.255", .global), ("100.128.0.0", .global), ("126.255.255.255", .global),
        ("128.0.0.0", .global), ("169.253.255.255", .global), ("172.15.255.255", .global), ("172.32.0.0", .global),
        ("192.167.255.255", .global), ("192.169.0.0", .global), ("223.255.255.255", .global),
        ("198.17.255.255", .global), ("198.20.0.0", .global),
        ("0.0.0.0", .unspecified), ("0.1.2.3", .unspecified),
        ("10.0.0.0", .private), ("10.255.255.255", .private), ("172.16.0.1", .private), ("172.31.255.255", .private),
        ("192.168.0.1", .private), ("100.64.0.0", .private), ("100.127.255.255", .private),
        ("127.0.0.1", .loopback), ("127.255.255.254", .loopback),
        ("169.254.169.254", .linkLocal), ("169.254.0.1", .linkLocal),
        ("192.0.0.1", .reserved), ("192.88.99.1", .reserved), ("198.18.0.1", .reserved), ("198.19.255.255", .reserved),
        ("240.0.0.1", .reserved), ("255.255.255.254", .reserved),
        ("192.0.2.1", .documentation), ("198.51.100.7", .documentation), ("203.0.113.9", .documentation),
        ("224.0.0.1", .multicast), ("239.255.255.255", .multicast), ("255.255.255.255", .broadcast),
    ])
    func tellsIPv4Apart(_ address: String, _ expected: AddressClass) {
        #expect(AddressClass.ofLiteral(address) == expected)
    }

    @Test(arguments: [
        ("2606:2800:220:1:248:1893:25c8:1946", AddressClass.global), ("2001:200::1", .global), ("3ffe::1", .global),
        ("[2606:4700::1111]", .global), ("::", .unspecified), ("::1", .loopback), ("[::1]", .loopback),
        ("fc00::1", .private), ("fd12:3456::1", .private), ("fec0::1", .private), ("fe80::1", .linkLocal),
        ("fe80::1%eth0", .linkLocal), ("febf::1", .linkLocal), ("fd00:ec2::254", .private),
        ("ff02::1", .multicast), ("ff0e::1", .multicast), ("2001:db8::1", .documentation),
        ("3fff::1", .documentation), ("2001::1", .reserved), ("2001:1ff::1", .reserved), ("100::1", .reserved),
        ("4000::1", .reserved), ("5f00::1", .reserved), ("64:ff9b:1::a00:1", .reserved), ("::2", .reserved),
        ("::7f00:1", .reserved), ("::a00:1", .reserved),
    ])
    func tellsIPv6Apart(_ address: String, _ expected: AddressClass) {
        #expect(AddressClass.ofLiteral(address) == expected)
    }

    @Test(arguments: [
        ("127.0.0.1", AddressClass.loopback), ("10.1.2.3", .private), ("192.168.1.1", .private),
        ("172.16.0.1", .private), ("100.64.0.1", .private), ("169.254.169.254", .linkLocal),
        ("0.0.0.0", .unspecified), ("224.0.0.1", .multicast), ("255.255.255.255", .broadcast),
        ("203.0.113.1", .documentation), ("240.0.0.1", .reserved), ("93.184.216.34", .global),
    ])
    func seesThroughEveryWrapping(_ inner: String, _ expected: AddressClass) throws {
        let bytes = try inner.split(separator: ".").map { try #require(UInt8($0)) }
        let high = String(UInt16(bytes[0]) << 8 | UInt16(bytes[1]), radix: 16)
        let low = String(UInt16(bytes[2]) << 8 | UInt16(bytes[3]), radix: 16)
        for wrapped in [
            "::ffff:\(inner)", "::ffff:\(high):\(low)", "::ffff:0:\(high):\(low)", "64:ff9b::\(high):\(low)",
            "2002:\(high):\(low)::1", "2002:\(high):\(low):7::ffff",
        ] {
            #expect(AddressClass.ofLiteral(wrapped) == expected, "\(wrapped)")
        }
    }

    @Test(arguments: ["", "localhost", "example.com", "1.2.3", "1.2.3.4.5", "256.1.1.1", "::g", "[::1", "1.2.3.4%eth0"])
    func aNameIsNoAddress(_ text: String) {
        #expect(AddressClass.ofLiteral(text) == nil)
    }
}
