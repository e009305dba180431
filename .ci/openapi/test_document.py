"""The document by itself, and beside the golden files of the contracts."""

import json
import unittest

from openapi_spec_validator import validate

from contract import CONTRACTS, PATH, PROBLEM, Contract


class DocumentTests(unittest.TestCase):
    contract = Contract()

    def holds(self, instance, schema, name, strict=True):
        self.assertEqual(self.contract.faults(instance, schema, strict), [], name)

    def schema(self, name):
        return {"$ref": f"#/components/schemas/{name}"}

    def test_is_an_openapi_document_in_its_one_form(self):
        validate(self.contract.document)
        text = json.dumps(self.contract.document, indent=2, ensure_ascii=False) + "\n"
        self.assertEqual(PATH.read_text(), text, "put it in form: `make openapi RECORD=1`")

    def test_every_operation_is_explained(self):
        for name, (_, _, operation) in self.contract.operations.items():
            self.assertTrue(operation["summary"] and operation["description"].endswith("."), name)
            for parameter in operation.get("parameters", []):
                self.assertTrue(self.contract.resolved(parameter)["description"], name)

    def test_every_member_is_explained(self):
        for name, schema in self.contract.components["schemas"].items():
            self.explained(schema, name)

    def explained(self, schema, name):
        if "$ref" not in schema:
            self.assertTrue(schema.get("description"), name)
        for member, value in schema.get("properties", {}).items():
            self.explained({"description": "elsewhere"} | value, f"{name}/{member}")
            self.assertTrue(value.get("description") or "$ref" in value, f"{name}/{member}")

    def test_every_component_is_used(self):
        text = json.dumps(self.contract.document)
        for kind, components in self.contract.components.items():
            for name in components:
                if kind != "securitySchemes":
                    self.assertIn(f'"#/components/{kind}/{name}"', text)

    def test_every_golden_problem_is_one(self):
        files = sorted((CONTRACTS / "golden").glob("*.json"))
        self.assertEqual({file.stem for file in files}, set(self.contract.components["schemas"]["ErrorCode"]["enum"]))
        for file in files:
            for situation, problem in json.loads(file.read_text()).items():
                self.holds(problem, self.schema("Problem"), f"{file.stem}, {situation}")

    def test_every_golden_problem_that_an_operation_can_have_is_described_there(self):
        for name, response in self.contract.components["responses"].items():
            schema = response["content"][PROBLEM]["schema"]
            for code in schema["allOf"][1]["properties"]["code"]["enum"]:
                for problem in json.loads((CONTRACTS / "golden" / f"{code}.json").read_text()).values():
                    self.holds(problem, schema, f"{name}, {code}")

    def test_every_golden_handoff_is_one_of_the_union(self):
        files = sorted((CONTRACTS / "handoffs").glob("*.json"))
        types = set()
        for file in files:
            handoff = json.loads(file.read_text())
            types.add(handoff["type"])
            self.holds(handoff, self.schema("Handoff"), file.stem)
        self.assertEqual(types, set(self.contract.components["schemas"]["Handoff"]["discriminator"]["mapping"]))

    def test_a_handoff_of_another_shape_is_none(self):
        handoff = json.loads((CONTRACTS / "handoffs" / "apple_pay_pass.json").read_text())
        for spoilt in ({**handoff, "type": "stripe_ephemeral_key"}, {**handoff, "wrapped_key": "BQY="},
                       {name: value for name, value in handoff.items() if name != "ephemeral_public_key"}):
            self.assertNotEqual(self.contract.faults(spoilt, self.schema("Handoff")), [])

    def test_every_example_is_of_its_schema(self):
        count = 0
        for name, (_, _, operation) in self.contract.operations.items():
            for parameter in map(self.contract.resolved, operation.get("parameters", [])):
                if "example" in parameter:
                    self.holds(parameter["example"], parameter["schema"], f"{name}, {parameter['name']}")
            for media, content in operation.get("requestBody", {}).get("content", {}).items():
                for title, example in content.get("examples", {}).items():
                    count += 1
                    self.holds(example["value"], content["schema"], f"{name}, {title}", strict=False)
                    if "contentSchema" in content["schema"]:
                        for line in example["value"].splitlines():
                            self.holds(json.loads(line), content["schema"]["contentSchema"], f"{name}, {title}")
            for status, response in operation["responses"].items():
                for media, content in self.contract.resolved(response).get("content", {}).items():
                    if "example" in content:
                        count += 1
                        self.holds(content["example"], content["schema"], f"{name}, {status}")
        self.assertGreater(count, 50)
