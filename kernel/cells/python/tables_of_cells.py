"""Reads tables of the notebook into the library that is installed, and writes those of a cell with their types."""
import importlib
import json
import os
import sys

NO_LIBRARY = (
    "note: tables of the notebook are lists of dicts here, in which dates are texts: "
    "`pip install pyarrow` (or polars), with pandas if you like, into the Python of this notebook, {python}\n"
)
has_told = False


def library(name):
    """The module; None where it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def load(files):
    """The rows as a table of pandas, polars or pyarrow, whichever there is; else as a list of dicts."""
    global has_told
    path = files["parquet"]
    arrow = library("pyarrow.parquet")
    # pandas reads Parquet by pyarrow.
    pandas = library("pandas") if arrow is not None else None
    if pandas is not None:
        return frame_of(pandas, arrow.read_table(path))
    polars = library("polars")
    if polars is not None:
        return polars.read_parquet(path)
    if arrow is not None:
        return arrow.read_table(path)
    if not has_told:
        has_told = True
        sys.stderr.write(NO_LIBRARY.format(python=sys.executable))
    with open(files["json"], encoding="utf-8") as file:
        return json.load(file)


def frame_of(pandas, table):
    """A frame in which whole numbers and booleans stay such where some of them are missing, also in lists and dicts."""
    import pyarrow.types as types

    frame = table.to_pandas()
    for position, column in enumerate(table.columns):
        kind = column.type
        if types.is_nested(kind):
            dtype = "object"
        elif column.null_count > 0 and types.is_integer(kind):
            dtype = f"{'Int' if types.is_signed_integer(kind) else 'UInt'}{kind.bit_width}"
        elif column.null_count > 0 and types.is_boolean(kind):
            dtype = "boolean"
        else:
            continue
        values = column.to_pylist()
        if types.is_map(kind):
            values = [value if value is None else dict(value) for value in values]
        frame.isetitem(position, pandas.Series(values, dtype=dtype))
    return frame


def save(value, folder):
    """Writes a table, or a list of dicts, and returns the path."""
    path = os.path.join(folder, "saved.parquet")
    kind = type(value).__module__.split(".")[0]
    if kind == "pandas" and hasattr(value, "to_parquet"):
        return save_frame(value, path)
    if kind == "polars":
        return save_polars(value, path)
    if kind == "pyarrow" and hasattr(value, "to_pylist") and hasattr(value, "schema"):
        return save_arrow(value, path)
    if not isinstance(value, (list, tuple)) or not all(isinstance(row, dict) for row in value):
        raise TypeError(f"--save takes a table or a list of dicts, and no {type(value).__name__} like this")
    if len(value) == 0:
        raise ValueError("--save takes rows, and this list is empty: nothing says which columns it has")
    arrow = library("pyarrow")
    if arrow is not None:
        columns = list(dict.fromkeys(key for row in value for key in row))
        return save_arrow({key: column_of([row.get(key) for row in value], key) for key in columns}, path)
    polars = library("polars")
    if polars is not None:
        return save_polars(polars.from_dicts(value, infer_schema_length=None), path)
    path = os.path.join(folder, "saved.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file, default=str)
    return path


def save_frame(frame, path):
    """Labels of rows that have a name are columns, too."""
    if library("pyarrow") is None:
        raise ImportError("--save of a frame of pandas needs pyarrow: `pip install pyarrow`")
    if any(name is not None for name in frame.index.names):
        frame = frame.reset_index()
    columns = [(name, frame.iloc[:, position]) for position, name in enumerate(frame.columns)]
    return save_arrow({name: column_of(column, name, from_pandas=True) for name, column in columns}, path)


def column_of(values, name, from_pandas=False):
    """An array of Arrow; whole numbers of more than 64 bits are decimals."""
    import pyarrow

    try:
        return pyarrow.array(values, from_pandas=from_pandas)
    except (OverflowError, pyarrow.ArrowInvalid, pyarrow.ArrowTypeError) as error:
        known = [value for value in values if value is not None]
        if known and all(type(value) is int for value in known):
            return pyarrow.array(list(values), type=pyarrow.decimal128(38, 0))
        raise TypeError(f"column {name!r} has no type that a table can have: {error}") from None


def save_arrow(table, path):
    """A table of Arrow, or its columns by name."""
    import pyarrow
    import pyarrow.parquet

    if isinstance(table, dict):
        table = pyarrow.table({str(name): column for name, column in table.items()})
    pyarrow.parquet.write_table(table, path)
    return path


def save_polars(value, path):
    import polars

    if isinstance(value, polars.LazyFrame):
        value = value.collect()
    if isinstance(value, polars.Series):
        value = value.to_frame(value.name or "value")
    if not isinstance(value, polars.DataFrame):
        raise TypeError(f"--save takes a table or a list of dicts, and no {type(value).__name__} like this")
    # Parquet has no whole numbers of 128 bits.
    wide = [name for name, kind in value.schema.items() if str(kind) in ("Int128", "UInt128")]
    value.with_columns(polars.col(wide).cast(polars.Decimal(38, 0))).write_parquet(path)
    return path
