#!/usr/bin/env python3
"""Writes URLs that are made up, for tests and benchmarks of many rows.

    scripts/modules/urls_made.py --rows N FILE [--parts P]

FILE ends with .parquet (20 row groups), .csv or .ndjson, with the columns `row` and `url`, or with
.txt, with a URL a line and without NULL. With --parts it is a folder of P such files, whose name ends
the same way. Only .parquet needs pyarrow.

Row number I is a function of I alone, so two runs give the same rows, and the first N rows of a
longer table are those of a shorter one. 57 bytes a URL on average; 0.2% NULL; 0.6% empty, invalid or
mailto; of the others, 3% with upper case in the host, 2% with user information, 1% with a port. Five
million rows have about a million hosts, few of them with thousands of rows, and 95% are different
even without query and fragment.
"""
import argparse
import json
import multiprocessing
import os
from pathlib import Path

MASK = (1 << 64) - 1
# Hosts, by rank; the rank of a row is `HOSTS` times the cube of a number between 0 and 1.
HOSTS = 1_300_000
BLOCK = 50_000
WORDS = "news shop item search user blog docs image video page list view static assets about help".split()
LABELS = "alpha bravo cedar delta ember fjord grove harbor iris jade kite lumen maple north opal pine".split()
SUFFIXES = [
    "com", "com", "com", "com", "com", "org", "org", "net", "de", "de", "co.uk", "fr", "com.au", "co.jp",
    "github.io", "xn--p1ai",
]  # fmt: skip
FIRST = ["", "", "www.", "www.", "www.", "blog.", "m.", "cdn.static."]
# In place of a row, by its number modulo 1000.
ODD = {
    17: None, 517: None, 101: "", 203: "mailto:user{0}@example.com",
    305: "mailto:user{0}@example.org?subject=a%20b",
    407: "http://exa mple.com/{0}", 509: "http://example.com/a b/{0}", 611: "http://[::1/{0}",
}  # fmt: skip
TRACKING = ["utm_source=mail", "utm_source=feed&utm_medium=rss", "gclid={0}", "fbclid={0}"]


def mixed(number):
    """Returns 64 bits that depend on all bits of a number (the finalizer of SplitMix64)."""
    number = (number + 0x9E3779B97F4A7C15) & MASK
    number = ((number ^ (number >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    number = ((number ^ (number >> 27)) * 0x94D049BB133111EB) & MASK
    return number ^ (number >> 31)


def host(rank):
    bits = mixed(rank)
    name = f"{LABELS[bits & 15]}-{rank:x}"
    return f"{FIRST[bits >> 4 & 7]}{name}.{SUFFIXES[bits >> 7 & 15]}"


def resource(number):
    """Returns scheme, authority and path of the page with a number."""
    bits = mixed(number)
    name = host(int(HOSTS * ((bits & 0xFFFFFF) / 0x1000000) ** 3))
    scheme = "http" if bits >> 24 & 7 == 0 else "https"
    share = (bits >> 27 & 0xFFF) * 100 >> 12
    if share < 3:
        name = name.upper()
    elif share < 5:
        name = f"user:pw@{name}"
    elif share < 6:
        name += ":8080"
    path = WORDS[bits >> 40 & 15]
    if bits >> 44 & 1:
        path += "/" + WORDS[bits >> 45 & 15]
    if bits >> 49 & 3 == 0:
        path += f"/{LABELS[bits >> 51 & 15]}-{LABELS[bits >> 55 & 15]}"
    return f"{scheme}://{name}/{path}/{number:x}-{bits >> 32:08x}"


def url(row):
    """Returns the URL of a row; None for NULL."""
    bits = mixed(row ^ 0x5EED)
    odd = bits % 1000
    if odd in ODD:
        text = ODD[odd]
        return text and text.format(f"{row:x}")
    # One row in twenty repeats a page of another row.
    page = row if bits >> 10 & 0xFFF > 205 else (bits >> 22) % (row + 1)
    text = resource(page)
    kind = bits >> 54 & 15
    if kind < 6:
        text += f"?id={bits >> 34 & 0xFFFFF}"
        if kind == 0:
            text += "&" + TRACKING[bits >> 60 & 3].format(f"{row:x}")
    elif kind == 6:
        text += "?q=a+b&page=" + str(bits >> 58 & 31)
    if bits >> 58 & 31 == 0:
        text += "#top"
    return text


def urls(first, last):
    """Returns the URLs of the rows from `first` to before `last`."""
    return [url(row) for row in range(first, last)]


def block(bounds):
    return urls(*bounds)


def blocks(first, last):
    """Yields lists of URLs, made by all processors."""
    bounds = [(start, min(start + BLOCK, last)) for start in range(first, last, BLOCK)]
    with multiprocessing.Pool(os.cpu_count()) as pool:
        yield from pool.imap(block, bounds)


def write_parquet(path, first, last):
    import pyarrow
    import pyarrow.parquet

    schema = pyarrow.schema([("row", pyarrow.int64()), ("url", pyarrow.string())])
    in_group = max(1, -(-(last - first) // 20))
    with pyarrow.parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        waiting, row = [], first
        for texts in blocks(first, last):
            waiting += texts
            while len(waiting) >= in_group or (waiting and row + len(waiting) == last):
                group = waiting[:in_group]
                numbers = range(row, row + len(group))
                writer.write_table(pyarrow.table({"row": numbers, "url": group}, schema), in_group)
                row += len(group)
                del waiting[:in_group]


def write_lines(path, first, last, line, head=""):
    """Writes `line(row, url)` of each row."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(head)
        for texts in blocks(first, last):
            file.writelines(map(line, range(first, last), texts))
            first += len(texts)


def csv_line(row, text):
    return f"{row},\n" if text is None else f'{row},"{text}"\n'


def write_file(path, first, last):
    """Writes rows in the format that the name of the file says."""
    if path.suffix == ".parquet":
        write_parquet(path, first, last)
    elif path.suffix == ".csv":
        write_lines(path, first, last, csv_line, "row,url\n")
    elif path.suffix == ".ndjson":
        write_lines(path, first, last, lambda row, text: json.dumps({"row": row, "url": text}) + "\n")
    elif path.suffix == ".txt":
        write_lines(path, first, last, lambda _, text: "" if text is None else text + "\n")
    else:
        raise SystemExit(f"urls_made: {path}: the name must end with .parquet, .csv, .ndjson or .txt")


def write(path, rows, parts=None):
    """Writes the table: one file, or a folder of `parts` files."""
    if parts is None:
        return write_file(path, 0, rows)
    path.mkdir(parents=True, exist_ok=True)
    for part in range(parts):
        bounds = (rows * part // parts, rows * (part + 1) // parts)
        write_file(path / f"part-{part:03}{path.suffix}", *bounds)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--rows", type=int, required=True)
    parser.add_argument("--parts", type=int)
    options = parser.parse_args()
    write(options.file, options.rows, options.parts)


if __name__ == "__main__":
    main()
