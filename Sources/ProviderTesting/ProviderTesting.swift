// ProviderTesting
