"""The schema for pydantic, which imports this file when a model has a field of our types."""

from __future__ import annotations

from typing import Any

from pydantic_core import PydanticCustomError, core_schema

from ._errors import UriError


def schema(cls: type) -> core_schema.CoreSchema:
    """Return the schema: from `str` or an instance, to `str` in JSON."""

    def validate(value: object) -> object:
        if isinstance(value, cls):
            return value
        if not isinstance(value, str) and not hasattr(value, "edition"):
            raise PydanticCustomError("uri_type", "Input should be a string or a URL")
        try:
            return cls(value)
        except UriError as error:
            raise PydanticCustomError("uri_parsing", "{reason}", {"reason": str(error)}) from error

    def json(_schema: object, _handler: object) -> dict[str, Any]:
        return json_schema(cls)

    return core_schema.no_info_plain_validator_function(
        validate,
        metadata={"pydantic_js_functions": [json]},
        serialization=core_schema.to_string_ser_schema(when_used="json"),
    )


def json_schema(cls: type) -> dict[str, Any]:
    """Return the JSON schema: a string with a format of JSON Schema."""
    from . import Uri

    return {"type": "string", "format": "uri" if issubclass(cls, Uri) else "uri-reference"}
