/// What the command line asks for.
enum LabCommand: Equatable {
    /// Shows the main job from end to end.
    case demo(json: Bool)
    /// Serves the emulators until it is told to stop.
    case sandbox(port: UInt16, json: Bool)
    /// Provisions one card at a running gateway.
    case attempt(TryOptions)
    /// Checks that a provider keeps its promises.
    case conformance(ConformanceOptions)
    /// Has the sandbox send a processor's webhook.
    case trigger(TriggerOptions)
    /// Shows a running gateway's events as they come.
    case listen(ListenOptions)
    /// Measures what a gateway adds to a processor's time.
    case bench(BenchOptions)
    /// Explains the command.
    case help
    /// Tells the version.
    case version
}

/// What `try` needs.
struct TryOptions: Equatable {
    var gateway = ""
    var key = ""
    var card = ""
    var wallet = "apple_pay"
    var channel = "in_app"
    var cardholder = "user_1"
    var program: String?
    var json = false
}

/// A command line that says nothing we know.
struct UsageProblem: Error, Equatable, CustomStringConvertible {
    let description: String
}
