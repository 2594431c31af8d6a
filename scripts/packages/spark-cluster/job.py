"""The job of scripts/packages/cluster, as a user writes one: our functions of each row, on a cluster.

Started in the driver's environment, once for each case. Writes what it found into a file as JSON.
"""

import argparse
import functools
import json
import operator
import os
import urllib.request
from pathlib import Path

PARTS = 8
ALIAS = "locator"


def row_hashes(urls):
    """Returns a hash for each row: of the URL, and of what our functions return for it."""
    import pyarrow
    import pyarrow.compute as compute

    from locator_uri import arrow

    columns = [urls, arrow.key(urls), arrow.registered_domain(urls), arrow.error(urls)]
    columns += [arrow.effective_port(urls).cast("string")]
    filled = [compute.fill_null(column, "\0") for column in columns]
    texts = compute.binary_join_element_wise(*filled, pyarrow.scalar("\x1f"))
    return arrow.hash128(texts).cast(pyarrow.binary())


def hashed(batches):
    """Adds the hashes to batches of rows, at an executor."""
    import pyarrow

    for batch in batches:
        urls = batch.column("url")
        yield pyarrow.RecordBatch.from_arrays([urls, row_hashes(urls)], ["url", "hash"])


def gate(batches, folder, after_first):
    """Passes batches on; the first tasks write their ids and wait for the file `go`."""
    for number, batch in enumerate(batches):
        if number == 0 and not after_first:
            wait(folder)
        yield batch
        if number == 0 and after_first:
            wait(folder)


def wait(folder, deadline=300):
    import json
    import os
    import time

    import locator_uri
    from pyspark import TaskContext

    go, task = os.path.join(folder, "go"), TaskContext.get()
    if os.path.exists(go) or task.attemptNumber() > 0:
        return
    ids = {
        "stage": task.stageId(), "partition": task.partitionId(), "task": task.taskAttemptId(),
        "pid": os.getpid(), "package": locator_uri.__file__,
    }  # fmt: skip
    name = os.path.join(folder, f"waiting-{ids['task']}")
    with open(name + ".new", "w") as file:
        json.dump(ids, file)
    os.rename(name + ".new", name)
    end = time.monotonic() + deadline
    while not os.path.exists(go):
        if time.monotonic() > end:
            raise TimeoutError("nobody opened the gate")
        time.sleep(0.02)


def digest(chunks):
    """Returns the count of hashes, and their sum and exclusive or, in any order."""
    import pyarrow

    low, high, low_xor, high_xor, count = 0, 0, 0, 0, 0
    for chunk in chunks:
        hashes = chunk.cast(pyarrow.binary(16))
        words = memoryview(hashes.buffers()[1]).cast("Q")[hashes.offset * 2 : (hashes.offset + len(hashes)) * 2]
        low, high = low + sum(words[::2]), high + sum(words[1::2])
        low_xor = functools.reduce(operator.xor, words[::2], low_xor)
        high_xor = functools.reduce(operator.xor, words[1::2], high_xor)
        count += len(hashes)
    total = (low + (high << 64)) % (1 << 128)
    return {"rows": count, "digest": f"{total:032x}{high_xor << 64 | low_xor:032x}{count:016x}"}


def one_machine(data):
    """Computes the digest with our package alone."""
    import pyarrow.parquet

    batches = pyarrow.parquet.ParquetFile(data).iter_batches(100_000, columns=["url"])
    return digest(row_hashes(batch.column(0)) for batch in batches)


def session(options):
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(options.master).appName("locator: " + options.case)
    size = os.path.getsize(options.data)
    settings = {
        "spark.archives": f"{options.archive}#{ALIAS}",
        "spark.executorEnv.PYTHONPATH": ALIAS,
        "spark.executor.memory": options.memory,
        "spark.executor.cores": "1",
        "spark.ui.port": "0",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": str(PARTS),
        # So that a stage after the shuffle has several tasks, of which those that wait lose their input.
        "spark.sql.adaptive.coalescePartitions.enabled": "false",
        # As between hosts: else an executor reads the files of a dead one, whose disk it shares.
        "spark.shuffle.readHostLocalDisk": "false",
        "spark.sql.files.maxPartitionBytes": str(max(1, size // PARTS)),
        "spark.sql.files.openCostInBytes": "1",
        "spark.driver.maxResultSize": "2g",
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def hashes_of(spark, options):
    """Runs the job of a case; returns the chunks of its hashes."""
    pass_gate = functools.partial(gate, folder=options.gate, after_first=options.case == "write-kill")
    rows = spark.read.parquet(options.data).select("url").mapInArrow(hashed, "url string, hash binary")
    if options.case == "map-kill":
        shuffled = rows.mapInArrow(pass_gate, rows.schema).repartition(PARTS, "hash")
    else:
        shuffled = rows.repartition(PARTS, "hash").mapInArrow(pass_gate, rows.schema)
    if options.case != "write-kill":
        return shuffled.select("hash").toArrow().column(0).chunks
    import pyarrow.parquet

    shuffled.write.parquet(options.out)
    files = sorted(Path(options.out).glob("*.parquet"))
    return (chunk for file in files for chunk in pyarrow.parquet.read_table(file)["hash"].chunks)


def evidence(spark):
    """Returns what the REST API of the driver says about executors and stages."""
    context = spark.sparkContext
    base = f"{context.uiWebUrl}/api/v1/applications/{context.applicationId}"

    def get(path):
        with urllib.request.urlopen(f"{base}/{path}", timeout=30) as answer:
            return json.load(answer)

    executors = [one for one in get("allexecutors") if one["id"] != "driver"]
    keys = ["stageId", "attemptId", "status", "numTasks", "numCompleteTasks", "numFailedTasks"]
    keys += ["inputRecords", "shuffleReadRecords", "shuffleWriteRecords", "shuffleWriteBytes"]
    stages = [{key: stage[key] for key in keys} for stage in get("stages")]
    removed = [one.get("removeReason", "") for one in executors if not one["isActive"]]
    return {"executors": len(executors), "removed": removed, "stages": stages}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ["case", "data", "result", "master", "gate", "archive", "python", "out", "memory"]:
        parser.add_argument(f"--{name}")
    options = parser.parse_args()
    if options.case == "one-machine":
        found = one_machine(options.data)
    else:
        os.environ["PYSPARK_PYTHON"] = options.python
        spark = session(options)
        found = digest(hashes_of(spark, options)) | evidence(spark)
        spark.stop()
    Path(options.result).write_text(json.dumps(found))


if __name__ == "__main__":
    main()
