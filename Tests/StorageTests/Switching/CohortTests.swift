import Foundation
import Testing

@testable import Storage

@Suite("Cohorts")
struct CohortTests {
    private struct Contract: Decodable {
        struct Vector: Decodable {
            let migration: String
            let cardholder: String
            let bucket: Int
        }

        let vectors: [Vector]
    }

    @Test func bucketsAreTheContracts() throws {
        let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
        let bytes = try Data(contentsOf: root.appending(path: "Contracts/cohort-buckets.json"))
        let vectors = try JSONDecoder().decode(Contract.self, from: bytes).vectors
        #expect(vectors.count == 3)
        for vector in vectors {
            #expect(CardRouting.bucket(migration: vector.migration, cardholder: vector.cardholder) == vector.bucket)
        }
    }

    @Test func aBucketIsInWhenItIsBelowThePercentage() throws {
        let bucket = CardRouting.bucket(migration: "mig_1", cardholder: "user_1")
        #expect(!CardRouting.isIn(basisPoints: bucket, migration: "mig_1", cardholder: "user_1"))
        #expect(CardRouting.isIn(basisPoints: bucket + 1, migration: "mig_1", cardholder: "user_1"))
    }

    @Test func growingOnlyAddsCardholders() {
        for number in 0..<500 {
            let (migration, cardholder) = ("mig_\(number % 7)", "user_\(number)")
            let isIn = stride(from: 0, through: 10_000, by: 250).map {
                CardRouting.isIn(basisPoints: $0, migration: migration, cardholder: cardholder)
            }
            #expect(isIn.first == false && isIn.last == true)
            #expect(zip(isIn, isIn.dropFirst()).allSatisfy { $0 == false || $1 == true })
        }
    }

    @Test func aCohortIsAboutAsLargeAsItsPercentage() {
        let count = (0..<10_000).count {
            CardRouting.isIn(basisPoints: 2500, migration: "mig_1", cardholder: "user_\($0)")
        }
        #expect((2350...2650).contains(count))
    }

    @Test func anotherMigrationHasOtherCardholders() {
        let cohorts = ["mig_1", "mig_2"].map { migration in
            (0..<1000).filter {
                CardRouting.isIn(basisPoints: 5000, migration: migration, cardholder: "user_\($0)")
            }
        }
        let common = Set(cohorts[0]).intersection(cohorts[1]).count
        #expect((180...320).contains(common))
    }

    @Test(arguments: [
        (0, "0%"), (1, "0.01%"), (10, "0.1%"), (1250, "12.5%"), (100, "1%"), (9999, "99.99%"), (10_000, "100%"),
    ])
    func aPercentageIsToldInFewWords(_ basisPoints: Int, _ words: String) {
        #expect(StoredMigration.Cohort.percent(basisPoints: basisPoints).words == words)
    }
}
