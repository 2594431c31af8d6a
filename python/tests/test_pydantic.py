"""Fields of pydantic models."""

from __future__ import annotations

import pydantic
import pytest

from locator_uri import Uri, UriRef


class Page(pydantic.BaseModel):
    """A model with both types."""

    uri: Uri
    links: list[UriRef] = []


def test_validates() -> None:
    page = Page.model_validate({"uri": "http://h/", "links": ["../a", Uri("http://b/")]})
    assert type(page.uri) is Uri
    assert page.links == [UriRef("../a"), UriRef("http://b/")]
    assert Page(uri=page.uri).uri is page.uri
    assert Page.model_validate_json('{"uri": "a:b"}').uri == Uri("a:b")


def test_serializes() -> None:
    page = Page(uri=Uri("http://jan:secret@h/"))
    assert page.model_dump_json() == '{"uri":"http://jan:secret@h/","links":[]}'
    assert page.model_dump()["uri"] is page.uri
    assert Page.model_validate_json(page.model_dump_json()) == page


def test_errors_name_the_field_and_the_reason() -> None:
    with pytest.raises(pydantic.ValidationError) as caught:
        Page.model_validate({"uri": "//h/", "links": ["a b", 5]})
    found = [(error["loc"], error["type"]) for error in caught.value.errors()]
    assert found == [
        (("uri",), "uri_parsing"), (("links", 0), "uri_parsing"), (("links", 1), "uri_type"),
    ]  # fmt: skip
    assert "a space is not allowed in the path, at offset 1" in str(caught.value)


def test_json_schema() -> None:
    properties = Page.model_json_schema()["properties"]
    assert properties["uri"]["format"] == "uri"
    assert properties["links"]["items"]["format"] == "uri-reference"
