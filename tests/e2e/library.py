"""The library libsilt.so beside the tested `silt`, by ctypes: what include/silt.h declares, as far as the tests need it."""
import ctypes
from ctypes import CFUNCTYPE, POINTER, Structure, byref, c_bool, c_char, c_char_p, c_int, c_int64, c_size_t, c_void_p
from pathlib import Path

from driver import SILT

LIBRARY = Path(SILT).parent / "libsilt.so"
MESSAGE_SIZE = 512
DONE, FAILED, REFUSED, STOPPED, END = range(5)


class Problem(Structure):
    _fields_ = [("level", c_char_p), ("kind", c_char_p), ("code", c_char_p), ("message", c_char_p), ("hint", c_char_p), ("file", c_char_p),
                ("line", c_int), ("column", c_int), ("length", c_int), ("source", c_char_p)]


# arguments and results are Arrow structs by address: pyarrow imports and exports those
CALL = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, POINTER(c_char))


class Function(Structure):
    _fields_ = [("name", c_char_p), ("argument_types", POINTER(c_char_p)), ("argument_count", c_int), ("result_type", c_char_p),
                ("random", c_bool), ("self", c_void_p), ("call", CALL)]


class Batch(Structure):
    _fields_ = [("flow", c_char_p), ("query_id", c_char_p), ("id", c_int64)]


OPEN_SINK = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, POINTER(c_void_p), POINTER(c_char))
CLOSE = CFUNCTYPE(None, c_void_p)
TAKE = CFUNCTYPE(c_int, c_void_p, POINTER(Batch), c_void_p, POINTER(c_char))


class Sink(Structure):
    _fields_ = [("name", c_char_p), ("self", c_void_p), ("open", OPEN_SINK), ("close", CLOSE), ("batch", TAKE)]


OPEN_SOURCE = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, POINTER(c_void_p), POINTER(c_void_p), POINTER(c_char))
LATEST = CFUNCTYPE(c_int, c_void_p, POINTER(c_void_p), POINTER(c_char))
NEXT = CFUNCTYPE(c_int, c_void_p, c_char_p, c_char_p, POINTER(c_void_p), POINTER(c_char))
READ = CFUNCTYPE(c_int, c_void_p, c_char_p, c_char_p, c_void_p, POINTER(c_char))
COMMITTED = CFUNCTYPE(c_int, c_void_p, c_char_p, POINTER(c_char))


class Source(Structure):
    _fields_ = [("name", c_char_p), ("self", c_void_p), ("open", OPEN_SOURCE), ("close", CLOSE), ("latest", LATEST), ("next", NEXT),
                ("read", READ), ("committed", COMMITTED)]


class OpenOptions(Structure):
    _fields_ = [("spec", c_char_p), ("directory", c_char_p), ("conf", c_void_p), ("conf_count", c_int), ("extensions", c_void_p)]


class SessionOptions(Structure):
    _fields_ = [("managed_writes", c_bool), ("extensions", c_void_p)]


class RunOptions(Structure):
    _fields_ = [("refresh", c_void_p), ("refresh_count", c_int), ("full_refresh", c_void_p), ("full_refresh_count", c_int),
                ("full_refresh_all", c_bool), ("continuous", c_bool), ("standby", c_bool), ("progress_path", c_char_p), ("self", c_void_p),
                ("event", c_void_p), ("progress", c_void_p), ("metrics_listen", c_char_p), ("statsd", c_char_p), ("statsd_prefix", c_char_p)]


def load():
    lib = ctypes.CDLL(str(LIBRARY))
    lib.silt_problems_at.restype = POINTER(Problem)
    for name in ("silt_extensions_new",):
        getattr(lib, name).restype = c_void_p
    return lib


libc = ctypes.CDLL(None)
libc.strdup.restype = c_void_p


def give_text(out, text):
    """Hand a text to Silt, which frees it."""
    out[0] = libc.strdup(text.encode())


class Refused(Exception):
    pass


class Library:
    def __init__(self):
        self.lib = load()
        self.extensions = c_void_p(self.lib.silt_extensions_new())
        self.kept = []  # callbacks live as long as the library may call them

    def _check(self, status, problems):
        texts = [self.lib.silt_problems_at(problems, i).contents.message.decode() for i in range(self.lib.silt_problems_count(problems))]
        self.lib.silt_problems_free(problems)
        if status not in (DONE, END):
            raise Refused(f"{status}: " + "; ".join(texts))
        return status

    def _call(self, function, *args):
        problems = c_void_p()
        return self._check(getattr(self.lib, function)(*args, byref(problems)), problems)

    def add(self, kind, struct):
        self.kept.append(struct)
        self._call(f"silt_extensions_add_{kind}", self.extensions, byref(struct))

    def add_function(self, name, argument_types, result_type, call):
        types = (c_char_p * max(1, len(argument_types)))(*[t.encode() for t in argument_types])
        self.kept.append(types)
        self.add("function", Function(name.encode(), types, len(argument_types), result_type.encode(), False, None, CALL(call)))

    def run(self, directory):
        project = c_void_p()
        self._call("silt_project_open", byref(OpenOptions(directory=str(directory).encode(), extensions=self.extensions)), byref(project))
        try:
            self._call("silt_project_run", project, byref(RunOptions()))
        finally:
            self.lib.silt_project_free(project)

    def query(self, sql, import_reader):
        """All rows of one query: import_reader gets the address of an ArrowArrayStream."""
        session, script, result = c_void_p(), c_void_p(), c_void_p()
        stream = (c_char * 64)()
        self._call("silt_session_open", None, byref(SessionOptions(extensions=self.extensions)), byref(session))
        try:
            text = sql.encode()
            self._call("silt_script_open", session, b"query", text, c_size_t(len(text)), byref(script))
            self._call("silt_script_next", script, byref(result))
            self.lib.silt_result_to_arrow(result, byref(stream))
            return import_reader(ctypes.addressof(stream))
        finally:
            self.lib.silt_script_free(script)
            self.lib.silt_session_free(session)
