import CheckoutProvider
import ImprintProvider
import IncreaseProvider
public import ProviderKit
import StripeProvider
import ThalesProvider

/// Every provider that this program knows, a line each.
public enum ProviderCatalogue {
    /// In the order that they are listed to people.
    public static let all: [any ConfigurableProvider.Type] = [
        IncreaseProvider.self,
        CheckoutProvider.self,
        ImprintProvider.self,
        ThalesProvider.self,
        StripeProvider.self,
    ]
}
