"""The intermediate code of compiled functions, and how an entry's is put together.

Numba links into each function all that it calls, optimises that and makes machine code of it, though what an entry
calls ends up in the entry. Here a function called by kernels keeps its own code and a list of what it calls; nothing
else is done until an entry collects them all, once, for a single optimisation.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-subclassing-any
from __future__ import annotations

from typing import Any

from llvmlite import binding

from astragal.compiler.numba_names import CodeLibrary, JITCodeLibrary, cgutils


class InnerLibrary(JITCodeLibrary):
    """The code of one function as a text, without machine code."""

    _linking_libraries: list[Any]

    def __init__(self, codegen, name):
        CodeLibrary.__init__(self, codegen, name)
        self._linking_libraries = []
        self._shared_module = None
        self._texts = []
        self._names = []  # of the functions defined in them

    def add_ir_module(self, ir_module):
        self._raise_if_finalized()
        self._names += [one.name for one in ir_module.functions if not one.is_declaration and not one.linkage]
        text = cgutils.normalize_ir_text(str(ir_module))
        if "numba.dynamic.globals" in text:
            self._dynamic_globals.append(self.name)
        self._texts.append(text)

    def add_linking_library(self, library):
        if library not in self._linking_libraries:
            self._linking_libraries.append(library)

    def finalize(self):
        self._raise_if_finalized()
        for library in self._linking_libraries if hasattr(self, "_reload_init") else ():  # which Numba has since 0.63.1
            self._reload_init.update(library._reload_init)
        self._finalized = True

    def own_modules(self):
        """Parsed anew for each entry: linking uses a module up."""
        self._ensure_finalized()
        return map(binding.parse_assembly, self._texts)

    def _get_module_for_linking(self):
        """For a function that Numba compiles in its usual way: all that this one needs in one module."""
        if self._shared_module is None:
            together = self._codegen.create_library(self.name)
            self._shared_module = together._final_module
            link(self._shared_module, [self])
        return self._shared_module


class EntryLibrary(JITCodeLibrary):
    """The code of a kernel that Python calls, with that of all it calls."""

    functions = 1  # how many that are
    _linking_libraries: list[Any]

    def add_linking_library(self, library):
        self._linking_libraries.append(library)

    def finalize(self):
        inner = [one for one in self._linking_libraries if isinstance(one, InnerLibrary)]
        self.functions = 1 + link(self._final_module, inner)
        self._linking_libraries = [one for one in self._linking_libraries if not isinstance(one, InnerLibrary)]
        super().finalize()

    def _verify_declare_only_symbols(self):
        super()._verify_declare_only_symbols()
        missing = [
            one.name for one in self._final_module.functions if one.is_declaration and one.name.startswith("_ZN")
        ]
        if missing:
            raise AssertionError(f"{self.name} calls functions that were not linked: {missing}")


def link(target, libraries):
    """Put into a module what these hold, and what they need in turn, each once; return how many functions there are."""
    pending, seen = list(libraries), set()
    while pending:
        library = pending.pop()
        if library in seen:
            continue
        seen.add(library)
        if isinstance(library, InnerLibrary):
            for module in library.own_modules():
                simplify(module, library.codegen)
                target.link_in(module)
            pending += library._linking_libraries
        else:
            target.link_in(library._get_module_for_linking(), preserve=True)
    inner = [library for library in seen if isinstance(library, InnerLibrary)]
    for name in (name for library in inner for name in library._names):
        # what is inlined everywhere may be dropped; said before, it would be if what needs it is linked after it
        target.get_function(name).linkage = "linkonce_odr"
    return len(inner)


def simplify(module, codegen):
    """Optimise each function for itself, before LLVM decides what to inline where."""
    module.data_layout = codegen._data_layout
    for function in module.functions:
        if not function.is_declaration:
            passes, settings = codegen._function_pass_manager()
            passes.run(function, settings)
