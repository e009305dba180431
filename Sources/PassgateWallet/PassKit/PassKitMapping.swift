// For iOS only, and NOT COMPILED where Passgate is built and tested, which is Linux without PassKit. It is written from
// Apple's documentation; a build for iOS is its first test.
#if canImport(PassKit) && os(iOS)
    public import PassKit
    public import PassgateContract

    extension ApplePayPass {
        /// What `addPaymentPassViewController(_:generateRequestWithCertificateChain:nonce:nonceSignature:completionHandler:)`
        /// gives its completion handler, within 20 seconds.
        public func makeRequest() -> PKAddPaymentPassRequest {
            let request = PKAddPaymentPassRequest()
            request.activationData = activationData
            request.encryptedPassData = encryptedPassData
            switch key {
            case .ephemeralPublicKey(let key): request.ephemeralPublicKey = key
            case .wrappedKey(let key): request.wrappedKey = key
            }
            return request
        }
    }

    extension ApplePayConfiguration {
        /// What `PKAddPaymentPassViewController` is made with; nil for a scheme or a network that this build does not know.
        public func makeConfiguration() -> PKAddPaymentPassRequestConfiguration? {
            guard encryptionScheme == "ECC_V2", let network = paymentNetworkOfPassKit else { return nil }
            let configuration = PKAddPaymentPassRequestConfiguration(encryptionScheme: .ECC_V2)
            configuration?.cardholderName = cardholderName
            configuration?.primaryAccountSuffix = primaryAccountSuffix
            configuration?.localizedDescription = localizedDescription
            configuration?.primaryAccountIdentifier = primaryAccountIdentifier
            configuration?.paymentNetwork = network
            return configuration
        }

        private var paymentNetworkOfPassKit: PKPaymentNetwork? {
            switch paymentNetwork {
            case "visa": .visa
            case "mastercard": .masterCard
            case "amex": .amex
            case "discover": .discover
            default: nil
            }
        }
    }

    extension PassState {
        /// The word for a pass of `PKPassLibrary`; nil is that there is none.
        public init(_ pass: PKSecureElementPass?) {
            guard let pass else {
                self = .absent
                return
            }
            switch pass.passActivationState {
            case .activated: self = .activated
            case .requiresActivation: self = .requiresActivation
            case .activating: self = .activating
            case .suspended: self = .suspended
            case .deactivated: self = .deactivated
            // The gateway knows no such word; what counts is that the pass is there, and has not to be activated.
            @unknown default: self = .suspended
            }
        }
    }

    extension DeviceFacts {
        /// What this device says of a card: its passes on phone and watch, and whether PassKit can add it.
        ///
        /// - Parameters:
        ///   - identifier: The card's primary account identifier, from `wallets`; nil where there is none yet.
        ///   - watchPaired: What `WCSession` says, where the app asks it.
        @MainActor
        public static func ofThisDevice(
            primaryAccountIdentifier identifier: String?, watchPaired: Bool?, library: PKPassLibrary = PKPassLibrary()
        ) -> DeviceFacts {
            func find(_ passes: [PKSecureElementPass]) -> PKSecureElementPass? {
                identifier.flatMap { id in passes.first { $0.primaryAccountIdentifier == id } }
            }
            let local = library.passes(of: .secureElement).compactMap(\.secureElementPass)
            return .applePay(
                canAdd: identifier.map { library.canAddSecureElementPass(primaryAccountIdentifier: $0) }
                    ?? PKAddPaymentPassViewController.canAddPaymentPass(),
                watchPaired: watchPaired, localPass: PassState(find(local)),
                remotePass: PassState(find(library.remoteSecureElementPasses)))
        }
    }

    extension DeviceOutcome {
        /// What PassKit told `addPaymentPassViewController(_:didFinishAdding:error:)`.
        public init(added pass: PKPaymentPass?, error: (any Error)?) {
            if pass != nil {
                self.init(.added)
            } else if let error = error as NSError? {
                let isCancelled =
                    error.domain == "PKPassKitErrorDomain"
                    && error.code == PKAddPaymentPassError.userCancelled.rawValue
                self.init(isCancelled ? .cancelled : .failed, error: Failure(domain: error.domain, code: error.code))
            } else {
                self.init(.cancelled)
            }
        }
    }
#endif
