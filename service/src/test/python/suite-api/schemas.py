#!/usr/bin/env python3
"""Writes the vendor's schemas that the contract test needs, out of the bindings of vcf-operations.

The bindings are generated from the vendor's OpenAPI text, and have each operation and each model with the names on the wire,
types and words of enumerations. Written are only the operations that operations.txt lists, and the models that they name:

    python schemas.py > ../../resources/suite-api/schemas.json

Run it after adding a line to operations.txt, with the interpreter of an environment that has what requirements.txt lists.
"""

import importlib
import json
import pathlib
import pkgutil
import re
import sys

import vcf.operations
from vcf.operations import model_client
from vmware.vapi.bindings import type as bindings
from vmware.vapi.bindings.stub import ApiInterfaceStub

PLAIN = {
    bindings.IntegerType: {"type": "integer"},
    bindings.DoubleType: {"type": "number"},
    bindings.StringType: {"type": "string"},
    bindings.SecretType: {"type": "string"},
    bindings.URIType: {"type": "string"},
    bindings.BooleanType: {"type": "boolean"},
    bindings.DateTimeType: {"type": "string"},
}

# Members that a model must have, which the bindings do not tell; the vendor's OpenAPI text does.
REQUIRED = {
    "AdapterInstance": ["resourceKey"],
    "AdapterKind": ["adapterKindType", "key"],
    "AlertCondition": ["condition", "severity"],
    "AlertContributingSymptom": ["alertId", "contributingSymptoms"],
    "AlertDefinition": ["adapterKindKey", "name", "resourceKindKey", "states"],
    "AlertDefinitionImpact": ["detail", "impactType"],
    "AlertDefinitionState": ["base-symptom-set", "impact", "severity"],
    "AuthSource": ["name", "sourceType"],
    "AuthSourcetype": ["id", "name"],
    "ResourceIdentifier": ["identifierType"],
    "ResourceIdentifierType": ["name"],
    "ResourceKey": ["adapterKindKey", "name", "resourceKindKey"],
    "ResourceKind": ["key"],
    "ResourceKindAttribute": ["dataType", "dataType2", "key", "property"],
    "ResourceKinds": ["adapterKind"],
    "ResourcePropertyContents": ["property-contents", "resourceId"],
    "ResourceRelation": ["relationshipType"],
    "ResourceRelations": ["relatedResources", "resource"],
    "ResourceRelationshipsQuery": ["relationshipType", "resourceIds"],
    "ResourceStatContent": ["id"],
    "ResourceTag": ["category"],
    "ResourcesRelation": ["relationshipType", "resourcesRelations"],
    "StatContent": ["statKey", "timestamps"],
    "StatContents": ["stat-content"],
    "StatKey": ["key"],
    "StatOrPropertyCondition": ["key", "operator"],
    "StatOrPropertyConditionQuery": ["conditions"],
    "Stats": ["statKey", "timestamps"],
    "Supermetric": ["formula", "name"],
    "Symptom": ["resourceId", "startTimeUTC", "symptomCriticality", "updateTimeUTC"],
    "SymptomDefinition": ["adapterKindKey", "name", "resourceKindKey", "state"],
    "SymptomSet": ["relation"],
    "SymptomState": ["condition", "severity"],
    "UsernamePassword": ["password", "username"],
    "UuidValues": ["uuids"],
    "Version": ["humanlyReadableReleaseDate", "major", "minor", "minorMinor", "releaseName", "releasedDate"],
}

# The text demands these of answers and requests alike, but servers make them.
REQUIRED_OF_ANSWERS = {
    "Resource": ["creationTime", "resourceHealth", "resourceHealthValue", "resourceKey", "resourceStatusStates"],
}

# What stands for a member with several forms; the bindings leave these to the program.
FORMS = {
    "OneOfSymptomSet": ["SymptomSet", "CompositeSymptomSet"],
    "OneOfCondition": [
        "HTCondition",
        "DTCondition",
        "HTSMCondition",
        "DTSMCondition",
        "NumericPropertyCondition",
        "StringPropertyCondition",
        "FaultCondition",
        "MessageEventCondition",
        "MetricEventCondition",
    ],
}


def shape(path):
    """A path whose variables have no names."""
    return re.sub(r"\{[^}]*\}", "{}", path)


class Schemas:
    def __init__(self):
        self.models = {}

    def of(self, kind):
        if isinstance(kind, bindings.OptionalType):
            return self.of(kind.element_type)
        if isinstance(kind, bindings.ListType):
            return {"type": "array", "items": self.of(kind.element_type)}
        if isinstance(kind, bindings.MapType):
            return {"type": "object", "additionalProperties": self.of(kind.value_type)}
        if isinstance(kind, bindings.ReferenceType):
            return self.of(kind.resolved_type)
        if isinstance(kind, bindings.DynamicStructType):
            return self.forms(kind)
        if isinstance(kind, bindings.StructType):
            return self.model(kind)
        for plain, schema in PLAIN.items():
            if isinstance(kind, plain):
                return dict(schema)
        # Nothing is known of it.
        return {}

    def forms(self, kind):
        for reference in kind.has_fields_of_type or []:
            names = FORMS.get(reference.resolved_type.binding_class.__name__, [])
            models = [getattr(model_client, name).get_binding_type() for name in names]
            return {"anyOf": [self.model(one) for one in models]}
        return {"type": "object"}

    def model(self, kind):
        name = kind.binding_class.__name__
        if name not in self.models:
            self.models[name] = {}
            self.models[name] = self.members(kind)
        return {"$ref": "#/$defs/" + name}

    def members(self, kind):
        model = kind.binding_class
        members = {}
        words = enumerations(model, kind.get_field_names())
        for name in kind.get_field_names():
            members[name] = self.of(kind.get_field(name))
            if name == "symptom-sets":
                # The text has one set here, although a composite is of several, and servers give a list.
                members[name] = {"anyOf": [members[name], {"type": "array", "items": members[name]}]}
            if name in words:
                inner = members[name].get("items", members[name])
                inner["enum"] = sorted(words[name])
        schema = {"type": "object", "properties": members, "additionalProperties": False}
        required = REQUIRED.get(model.__name__)
        if required:
            schema["required"] = required
        if model.__name__ in REQUIRED_OF_ANSWERS:
            schema["x-required-of-answers"] = REQUIRED_OF_ANSWERS[model.__name__]
        return schema


def enumerations(model, members):
    """Words of the enumerations of a model, which the bindings have as constants with the member's name before them."""
    python = {model._canonical_to_pep_names.get(name, name).upper() + "_": name for name in members}
    words = {}
    for name, value in vars(model).items():
        if name.isupper() and isinstance(value, str):
            prefix = max((one for one in python if name.startswith(one)), key=len, default=None)
            if prefix:
                words.setdefault(python[prefix], set()).add(value)
    return words


def stubs():
    for module in pkgutil.walk_packages(vcf.operations.__path__, "vcf.operations."):
        if module.name.endswith("_client") and module.name != "vcf.operations.model_client":
            for name, stub in vars(importlib.import_module(module.name)).items():
                if isinstance(stub, type) and issubclass(stub, ApiInterfaceStub) and stub is not ApiInterfaceStub:
                    yield stub


class NoConnection:
    """Stubs are only read."""

    connector = resolver = response_extractor = None

    def __getattr__(self, name):
        return lambda *a, **k: self


def operations(wanted, schemas):
    found = {}
    for stub in stubs():
        configuration = NoConnection()
        configuration.connector = NoConnection()
        one = stub(configuration)
        for name, rest in one._rest_metadata.items():
            key = rest.http_method + " " + shape(rest._url_template)
            if key not in wanted:
                continue
            operation = one._operations[name]
            given = operation["input_type"]
            body = rest.request_body_parameter
            query = rest.query_parameters
            found[key] = {
                "query": sorted(query.values()),
                "response": schemas.of(operation["output_type"]),
            }
            if body:
                found[key]["request"] = schemas.of(given.get_field(body))
    return found


def main():
    lines = pathlib.Path(__file__).with_name("operations.txt").read_text().splitlines()
    wanted = {shape(line.strip()) for line in lines if line.strip()}
    schemas = Schemas()
    found = operations(wanted, schemas)
    if wanted - found.keys():
        sys.exit("The bindings have no " + ", ".join(sorted(wanted - found.keys())))
    json.dump(
        {
            "$comment": "Written by service/src/test/python/suite-api/schemas.py; NOTICE beside it says from what.",
            "operations": found,
            "$defs": schemas.models,
        },
        sys.stdout,
        indent=1,
        sort_keys=True,
    )
    print()


if __name__ == "__main__":
    main()
