// HTTPClientTests
