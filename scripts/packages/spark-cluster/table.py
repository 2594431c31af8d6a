"""Copies the column `url` of a table into Parquet of 20 row groups: table.py FROM TO [ROWS]

FROM ends with .parquet, .csv, .ndjson, .jsonl or .txt (a URL a line). Run in the driver's environment.
"""

import sys
from pathlib import Path

import pyarrow
import pyarrow.csv
import pyarrow.json
import pyarrow.parquet


def read(path):
    if path.suffix == ".parquet":
        return pyarrow.parquet.read_table(path, columns=["url"])
    if path.suffix == ".csv":
        # An empty text in quotes is not NULL.
        kinds = pyarrow.csv.ConvertOptions(
            include_columns=["url"], column_types={"url": "string"}, strings_can_be_null=True,
            null_values=[""], quoted_strings_can_be_null=False,
        )  # fmt: skip
        return pyarrow.csv.read_csv(path, convert_options=kinds)
    if path.suffix in (".ndjson", ".jsonl"):
        return pyarrow.json.read_json(path).select(["url"])
    lines = path.read_text(encoding="utf-8").split("\n")
    return pyarrow.table({"url": lines[:-1] if lines[-1] == "" else lines})


def main():
    source, target, *rows = sys.argv[1:]
    table = read(Path(source)).cast(pyarrow.schema([("url", pyarrow.string())]))
    table = table.slice(0, int(rows[0])) if rows else table
    pyarrow.parquet.write_table(table, target, compression="zstd", row_group_size=max(1, -(-len(table) // 20)))


if __name__ == "__main__":
    main()
