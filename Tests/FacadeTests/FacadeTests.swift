// FacadeTests
