/// What `passgate-lab --help` prints.
enum LabHelp {
    static let version = "0.1.0"

    static let text = """
        The laboratory of Passgate: emulated processors, simulated devices. Never for production.

        usage: passgate-lab <command> [options]

          demo      starts the emulators and a real gateway on free loopback ports, adds each processor's card to
                    every wallet that it can go to, lets the simulated devices open what they got, shows that a spent
                    handshake is refused, and removes everything again
          sandbox   serves the emulators until it is stopped: each under its name, the control API under /_lab
          try       makes one provisioning with a simulated device at a running gateway, and prints each step. The
                    device has no processor's SDK: it opens what PassKit and Google Pay take
          trigger EVENT
                    has a running sandbox send a processor's webhook of a token, signed as the processor signs,
                    such as digital_wallet_token.updated; an event that nobody sends is answered with all that are sent
          listen    shows a running gateway's events as they come, one on each line, until it is stopped. How it stands
                    with the gateway is said beside them, on standard error; after a break it goes on where it was
          conformance PROVIDER
                    checks every promise of the contract on a provider's adapter: against its emulator, or with
                    --against at a real processor's sandbox. What needs a device there, or cannot be brought about,
                    is printed as not run, with the reason; it never counts as kept
          bench     measures what the gateway adds to the processor's time: cards are added to Apple Pay by turns at the
                    processor and through the gateway, one after the other. It starts a sandbox and a gateway, and
                    removes them again; with --gateway and --key it goes to those that run, such as make serve's, and
                    needs the scopes cards:write and provisioning:write. Build it with -c release

        options
          --json               prints one JSON document for machines; sandbox prints one line when it is ready
          --port N             sandbox: the port on 127.0.0.1; 8090 by itself, 0 takes a free one
          --seconds N          bench: how long is measured; 10 by itself
          --gateway URL        try, listen, bench: where the gateway listens
          --key KEY            try, listen, bench: an API key of the gateway (pgk_…); listen needs the scope events:read
          --card ID            try: the platform's id of the card
          --wallet WALLET      try: apple_pay (by itself) or google_pay
          --channel CHANNEL    try: in_app (by itself) or web
          --cardholder ID      try: the platform's id of the cardholder; user_1 by itself
          --program NAME       try, listen, bench: the program, for a key that has several
          --sandbox URL        trigger, bench: where the sandbox listens; http://127.0.0.1:8090 by itself
          --connection NAME    bench: the running gateway's connection to it; increase_sandbox by itself
          --to URL             trigger: where the webhook goes; by itself http://127.0.0.1:8080/v1/inbound/ and the
                               processor's name with _sandbox, which is where make serve takes it
          --card ID            trigger: the processor's card that it is about, which is added to a wallet if it is
                               in none; by itself the one that was added last, or else the demo's
          --after EVENT        listen: the event to go on after; --all begins with the oldest that is kept. By
                               itself it begins with what is new
          --against URL        conformance: the base URL of the processor's sandbox, in place of the connection's
          --config FILE        conformance: the gateway's configuration that has the connection; passgate.yaml by
                               itself. Nothing but the connection is read, and its environment must be test
          --connection NAME    conformance: the connection; the provider's only one by itself
          --card ID            conformance: a card at the processor that can be added to a wallet
          --card SITUATION=ID  conformance: a card in another situation, such as card_ineligible or card_missing
          --last4, --network   conformance: what these cards share; 0000 and visa by themselves
          --provider-cardholder ID
                               conformance: the cardholder's id at the processor, where it has one
          --help, --version

        exit codes
          0    all went as shown
          1    something that was shown failed, or a promise is broken, or none could be checked
          64   the command line says nothing we know
          69   something that is needed is missing: the passgate command, a free port, a gateway that answers
          78   conformance: the configuration or its connection cannot be used

        The devices, the network and the processors are simulated; so are all cards and credentials.
        """
}
