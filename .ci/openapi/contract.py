"""Contracts/openapi.json, as something to hold requests and answers to."""

import json
import pathlib
import re

from jsonschema import Draft202012Validator, FormatChecker

CONTRACTS = pathlib.Path(__file__).resolve().parents[2] / "Contracts"
PATH = CONTRACTS / "openapi.json"
PROBLEM = "application/problem+json"


class Contract:
    def __init__(self, document=None):
        self.document = document or json.loads(PATH.read_text())
        self.components = self.document["components"]
        # What an answer has more than the document says is a drift here; elsewhere it is a member to ignore.
        self.closed = closed(self.components)
        self.operations = {
            operation["operationId"]: (method.upper(), path, operation)
            for path, item in self.document["paths"].items() for method, operation in item.items()}

    def resolved(self, value):
        while "$ref" in value:
            place = self.document
            for name in value["$ref"].split("/")[1:]:
                place = place[name]
            value = place
        return value

    def faults(self, instance, schema, strict=False):
        """What is wrong with a value, a line each."""
        components = self.closed if strict else self.components
        whole = {**(closed(schema) if strict else schema), "components": components}
        validator = Draft202012Validator(whole, format_checker=FormatChecker())
        return [f"{error.json_path}: {error.message[:300]}" for error in validator.iter_errors(instance)]

    def operation(self, method, path):
        """The operation of a request: a path that is spelt out goes before one with a parameter."""
        found = [
            (template.count("{"), name) for name, (verb, template, _) in self.operations.items()
            if verb == method and re.fullmatch(re.sub(r"{\w+}", "[^/]+", template), path)]
        return min(found)[1] if found else None

    def response(self, name, status):
        responses = self.operations[name][2]["responses"]
        return self.resolved(responses[str(status)]) if str(status) in responses else None

    def check(self, name, status, headers, body):
        """Holds an answer to the document. `headers` is a list of pairs, `body` the bytes."""
        response = self.response(name, status)
        if response is None:
            return [f"the status {status} is not described"]
        faults = []
        fields = {}
        for field, value in headers:
            fields.setdefault(field.lower(), value)
        for field, header in response.get("headers", {}).items():
            header = self.resolved(header)
            value = fields.get(field.lower())
            if value is None:
                faults += [f"the field {field} is missing"] if header.get("required") else []
                continue
            if header["schema"].get("type") == "integer" and value.isdecimal():
                value = int(value)
            faults += [f"{field}: {fault}" for fault in self.faults(value, header["schema"])]
        content = response.get("content")
        if not content:
            return faults + ([f"a body of {len(body)} bytes is not described"] if body else [])
        media = fields.get("content-type", "").split(";")[0]
        if media not in content:
            return faults + [f"the media type {media!r} is not described"]
        text = body.decode()
        value = json.loads(text) if media.endswith("json") else text
        faults += self.faults(value, content[media]["schema"], strict=True)
        if media == PROBLEM:
            if not value["type"].endswith(f"/errors/{value['code']}"):
                faults.append(f"the problem's type is {value['type']}")
            if (value["retry_after"] is None) != ("retry-after" not in fields):
                faults.append("`retry_after` and Retry-After differ")
        return faults


def closed(schema):
    """The schema where no object has other members than those that are described."""
    if isinstance(schema, list):
        return [closed(element) for element in schema]
    if not isinstance(schema, dict):
        return schema
    copy = {name: closed(value) if name != "examples" and name != "example" else value for name, value in schema.items()}
    types = schema.get("type")
    if isinstance(schema.get("properties"), dict) and (types == "object" or isinstance(types, list) and "object" in types):
        copy.setdefault("additionalProperties", False)
    return copy
