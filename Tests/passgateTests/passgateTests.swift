// passgateTests
