// ProviderKitTests
