"""Functions of URLs for Apache Spark: SQL names, and helpers for whole tables.

    from locator_uri import spark as uri

    uri.register(spark)
    spark.sql("SELECT uri_registered_domain(url), count(*) FROM visits GROUP BY 1").show()
    uri.parse(spark.read.parquet("visits"), "url").select("host", "path").show()

The executors compute the functions in Python processes of their own, so each needs this package, of
the same version; docs/spark.md says how it gets there. Sessions may be classic or of Spark Connect,
tables may be streams. Rows that are NULL give NULL, and so do texts that are not valid URLs, unless a
function says otherwise: one bad row does not end a query.
"""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from . import _native

__all__ = ["audit", "columns", "deduplicate", "errors", "parse", "register", "resolve"]

# A DataFrame; pyspark is imported only where it is used, and so is pyarrow.
Frame = TypeVar("Frame")

# The column of hashes that `deduplicate` adds for a while.
HASH = "__uri_hash128"


def register(spark: Any) -> dict[str, Any]:
    """Register every function of the list under its SQL name, for this session.

    `uri_host(url)`, `uri_normalize(url, 'syntax')`; a second name takes another edition as its last
    argument: `uri_host_by(url, 'rfc3987')`. Arguments may have names: `uri_strip(url, parts =>
    'query')`. `uri_uniq` is missing, since Spark would collect all rows of a group at one executor; use
    `count(DISTINCT uri_hash128(url))`. Returns the functions by name, for expressions in Python:

        uri_host = register(spark)["uri_host"]
        visits.select(uri_host("url"))

    Spark 4.1 and later has Arrow UDFs. Before, these are pandas UDFs, which are slower, need pandas,
    and give a record of NULLs where the others give NULL; a warning says so.
    """
    functions = importlib.import_module("pyspark.sql.functions")
    make = _arrow_udf if hasattr(functions, "arrow_udf") else _pandas_udf
    if make is _pandas_udf:
        warnings.warn("Spark before 4.1 has no Arrow UDFs, so pandas UDFs are used", stacklevel=2)
    return _register(spark, make)


def columns(
    df: Frame,
    column: str,
    names: str | Iterable[str] | Mapping[str, str],
    *,
    keep: Iterable[str] | None = None,
    edition: str = "rfc3986",
) -> Frame:
    """Add the results of functions as columns, in one pass over the table.

    `names` are functions without "uri_" or arguments, as in `"host,registered_domain,key"`, or a
    mapping from new columns to them. `keep` names the columns of the table that the result has, by
    default all. Spark cannot find out that nobody needs a column, and each costs time: give `keep=()`
    to group by the new ones alone.
    """
    if isinstance(names, str):
        names = [name.strip() for name in names.split(",")]
    if not isinstance(names, Mapping):
        names = {name: name for name in names}
    steps = [_Step((new,), f"uri_{name}", (column,)) for new, name in names.items()]
    return _extend(df, steps, edition, keep=keep)


def parse(
    df: Frame, column: str, *, prefix: str = "", keep: Iterable[str] | None = None, edition: str = "rfc3986"
) -> Frame:
    """Add the components of URLs: scheme, userinfo, host, port, path, query and fragment.

    All are NULL where the text is not a valid reference. `prefix` begins the names of the columns, and
    `keep` names the columns of the table that the result has, by default all.
    """
    fields = _result("uri_parse").fields
    names = tuple(prefix + field.name for field in fields)
    return _extend(df, [_Step(names, "uri_parse", (column,))], edition, keep=keep)


def resolve(
    df: Frame, base: str, reference: str, *, into: str = "resolved", edition: str = "rfc3986"
) -> Frame:
    """Add the URI that the references of a column identify, each against the base in its row.

    NULL where one of the two is not valid, or the base is relative.
    """
    return _extend(df, [_Step((into,), "uri_resolve", (base, reference))], edition)


def audit(df: Frame, column: str, *, edition: str = "rfc3986") -> Frame:
    """Add what the audit finds: the codes of its findings, and the highest severity.

    The columns are `audit`, an array, and `audit_severity`, NULL without a finding.
    """
    return columns(df, column, "audit,audit_severity", edition=edition)


def errors(df: Frame, column: str, *, into: str = "error", edition: str = "rfc3986") -> Frame:
    """Return the rows whose text is not a valid reference, and why: a record with the position in
    bytes, the component, the rule and a sentence. Rows with NULL are left out.
    """
    return _extend(df, [_Step((into,), "uri_error_info", (column,))], edition, only=into)


def deduplicate(df: Frame, column: str, *, by: str = "key", edition: str = "rfc3986") -> Frame:
    """Return one row of those with the same key; which one is not defined.

    `by` is the name of a part: "key" (without fragment and tracking parameters), "normalize",
    "registered_domain", "segment:0", "query:page" … Rows whose text has no such part are compared by
    their text. Spark shuffles by hashes of 128 bits, and compares nothing else.
    """
    function, arguments = _native._part(by)
    steps = [_Step((HASH,), function, (column,), hashed=True, constants=tuple(arguments))]
    hashed: Any = _extend(df, steps, edition)
    unique: Frame = hashed.dropDuplicates([HASH]).drop(HASH)
    return unique


class _Function(NamedTuple):
    """A function of the list: its column, and its parameters; `None` is the default of those that
    must be given. `second` is the name that takes an edition.
    """

    name: str
    first: str
    parameters: tuple[str, ...]
    defaults: tuple[str | int | None, ...]
    second: str | None
    result: Any


class _Step(NamedTuple):
    """A function of columns and constants, and the names of what it adds: one, or those of the fields of
    a record."""

    new: tuple[str, ...]
    function: str
    columns: tuple[str, ...]
    hashed: bool = False
    constants: tuple[str, ...] = ()


# What `_functions` returns, once it was called.
_FUNCTIONS: dict[str, _Function] = {}


def _functions() -> dict[str, _Function]:
    """Return the functions that Spark has, of the list of all."""
    if _FUNCTIONS:
        return _FUNCTIONS
    nothing, absences = _pyarrow().array([], "string"), _native._absences("spark")
    for name, first, _, parameters, (_, example) in _native._functions():
        if absences[name] is None:
            names = tuple(parameter for parameter, _, _ in parameters)
            defaults = tuple(default for _, default, _ in parameters)
            second = _native._signature(name)[3]
            result = _evaluate(name, nothing, example).type
            _FUNCTIONS[name] = _Function(name, first, names, defaults, second, result)
    return _FUNCTIONS


def _result(name: str) -> Any:
    """Return the type of Spark that a function returns."""
    return _spark_type(_functions()[name].result)


def _spark_type(kind: Any) -> Any:
    types, is_ = importlib.import_module("pyspark.sql.types"), _pyarrow().types
    if is_.is_struct(kind):
        fields = [types.StructField(field.name, _spark_type(field.type)) for field in kind]
        return types.StructType(fields)
    if is_.is_list(kind):
        return types.ArrayType(_spark_type(kind.value_type))
    if is_.is_fixed_size_binary(kind):
        return types.BinaryType()
    named = {"string": "StringType", "int32": "IntegerType", "int64": "LongType", "bool": "BooleanType"}
    return getattr(types, named[str(kind)])()


def _register(spark: Any, make: Callable[[str, str, bool], Any]) -> dict[str, Any]:
    registered = {}
    for name, function in _functions().items():
        for sql_name, by in ((name, False), (function.second, True)):
            if sql_name is not None:
                registered[sql_name] = spark.udf.register(sql_name, make(name, sql_name, by))
    # Without a column there is nothing to compute in batches.
    registered["uri_psl_version"] = spark.udf.register("uri_psl_version", _psl_version, "string")
    return registered


def _psl_version() -> str:
    return _native.PUBLIC_SUFFIX_LIST


def _arrow_udf(name: str, sql_name: str, by: bool) -> Any:
    functions = importlib.import_module("pyspark.sql.functions")

    # Imported at the executor; what Spark sends there is only this function.
    def call(*values: Any, **named: Any) -> Any:
        from locator_uri import spark

        return spark._call(name, by, values, named)

    call.__name__ = sql_name
    # Spark knows by them which kind of function it is.
    array = _pyarrow().Array
    call.__annotations__ = {"values": array, "named": array, "return": array}
    return functions.arrow_udf(call, _result(name))


def _pandas_udf(name: str, sql_name: str, by: bool) -> Any:
    functions = importlib.import_module("pyspark.sql.functions")
    pandas = importlib.import_module("pandas")

    def call(*values):  # type: ignore[no-untyped-def]
        from locator_uri import spark

        return spark._call_pandas(name, by, values)

    types = importlib.import_module("pyspark.sql.types")
    result = _result(name)
    is_record = isinstance(result, types.StructType)
    call.__annotations__ = {
        "values": pandas.Series, "return": pandas.DataFrame if is_record else pandas.Series,
    }  # fmt: skip
    call.__name__ = sql_name
    return functions.pandas_udf(call, result)


def _call_pandas(name: str, by: bool, values: Sequence[Any]) -> Any:
    pyarrow, pandas = _pyarrow(), importlib.import_module("pandas")
    result = _call(name, by, [pyarrow.Array.from_pandas(series) for series in values], {})
    if pyarrow.types.is_struct(result.type):
        fields = {field.name: result.field(field.name) for field in result.type}
        fields = dict(zip(fields, result.flatten(), strict=True))
        return pandas.DataFrame({key: _to_pandas(array) for key, array in fields.items()})
    return _to_pandas(result)


def _to_pandas(array: Any) -> Any:
    return array.to_pandas(integer_object_nulls=True)


def _call(name: str, by: bool, values: Sequence[Any], named: Mapping[str, Any]) -> Any:
    """Compute a function of a batch, at an executor; each argument is an array."""
    function, values, given = _functions()[name], list(values), dict(named)
    if by and "edition" not in given and len(values) > 1:
        given["edition"] = values.pop()
    edition = given.pop("edition", None)
    known = (function.first, *function.parameters)
    columns = dict(zip(known, values, strict=False))
    is_each_once = len(values) <= len(known) and not set(columns) & set(given)
    columns |= given
    needed = {function.first, *_needed(function)}
    if not is_each_once or not needed <= set(columns) <= set(known) or (by and edition is None):
        raise TypeError(f"the arguments must be {_usage(function, by)}")
    rows, last = len(columns[function.first]), max(map(known.index, columns))
    defaults = dict(zip(function.parameters, function.defaults, strict=True))
    arguments = [
        columns[name] if name in columns else _pyarrow().repeat(defaults[name], rows)
        for name in known[: last + 1]
    ]
    arguments += [edition] if edition is not None else []
    return _pyarrow().array(_native._call(name, arguments, edition is not None))


def _needed(function: _Function) -> list[str]:
    """Return the parameters that must be given."""
    parameters = zip(function.parameters, function.defaults, strict=True)
    return [name for name, default in parameters if default is None]


def _usage(function: _Function, by: bool) -> str:
    needed = _needed(function)
    listed = [name if name in needed else f"[{name}]" for name in function.parameters]
    listed = [function.first, *listed, *(["edition"] if by else [])]
    return f"{function.second if by else function.name}({', '.join(listed)})"


def _extend(
    df: Frame, steps: list[_Step], edition: str, *, only: str | None = None, keep: Iterable[str] | None = None
) -> Frame:
    """Add columns by `mapInArrow`; with `only`, keep the rows in which this column is not NULL."""
    types = importlib.import_module("pyspark.sql.types")
    if edition not in _native.EDITIONS:
        raise ValueError(f"no edition is named {edition!r}; there are {', '.join(_native.EDITIONS)}")
    table: Any = df
    kept = table.columns if keep is None else list(keep)
    for name in (*kept, *(name for step in steps for name in step.columns)):
        if name not in table.columns:
            raise ValueError(f"the table has no column {name!r}; it has {', '.join(table.columns)}")
    fields = [table.schema[name] for name in kept]
    for step in steps:
        fields += _fields(step, {field.name.lower() for field in fields})

    # Imported at the executor; what Spark sends there is only this function.
    def extend(batches: Iterator[Any]) -> Iterator[Any]:
        from locator_uri import spark

        return spark._extended(batches, steps, edition, only, kept)

    extended: Frame = table.mapInArrow(extend, types.StructType(fields))
    return extended


def _fields(step: _Step, taken: set[str]) -> list[Any]:
    """Return the columns that a step adds."""
    types = importlib.import_module("pyspark.sql.types")
    function = _functions().get(step.function)
    if function is None or None in function.defaults[_given(step) :]:
        raise ValueError(f"no function without arguments is named {step.function.removeprefix('uri_')!r}")
    for name in step.new:
        if name.lower() in taken:
            raise ValueError(f"the table has a column {name!r} already")
    result = types.BinaryType() if step.hashed else _result(step.function)
    if step.function == "uri_parse" and len(step.new) > 1:
        named = zip(step.new, result.fields, strict=True)
        return [types.StructField(new, field.dataType) for new, field in named]
    return [types.StructField(step.new[0], result)]


def _extended(
    batches: Iterable[Any], steps: Sequence[_Step], edition: str, only: str | None, kept: Sequence[str]
) -> Iterator[Any]:
    """Add columns to batches, at an executor."""
    pyarrow, compute = _pyarrow(), importlib.import_module("pyarrow.compute")
    for batch in batches:
        arrays, names = [batch.column(name) for name in kept], list(kept)
        for step in map(_Step._make, steps):
            column, *arguments = [batch.column(name) for name in step.columns]
            result = _evaluate(step.function, column, [*arguments, *_rest(step)], edition)
            if step.hashed:
                result = _evaluate("uri_hash128", compute.coalesce(_texts(result), _texts(column)), ())
            arrays += result.flatten() if len(step.new) > 1 else [_spark_array(result)]
            names += step.new
        whole = pyarrow.RecordBatch.from_arrays(arrays, names)
        yield whole if only is None else whole.filter(compute.is_valid(whole.column(names.index(only))))


def _rest(step: _Step) -> tuple[Any, ...]:
    """Return the arguments that are not columns: constants, and the defaults of all others."""
    return (*step.constants, *_functions()[step.function].defaults[_given(step) :])


def _given(step: _Step) -> int:
    """Return how many arguments after the column are given."""
    return len(step.columns) - 1 + len(step.constants)


def _texts(array: Any) -> Any:
    return array if _pyarrow().types.is_string(array.type) else array.cast("string")


def _spark_array(array: Any) -> Any:
    """Return an array of a type that Spark has."""
    pyarrow = _pyarrow()
    return array.cast(pyarrow.binary()) if pyarrow.types.is_fixed_size_binary(array.type) else array


def _evaluate(name: str, column: Any, arguments: Sequence[Any], edition: str = "rfc3986") -> Any:
    return _pyarrow().array(_native._evaluate(name, column, list(arguments), edition))


def _pyarrow() -> Any:
    return importlib.import_module("pyarrow")
