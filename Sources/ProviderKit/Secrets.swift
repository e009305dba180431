/// Secrets are part of what an adapter is given, so that it imports `Provisioning` and `ProviderKit` alone.
@_exported public import SecretMemory
