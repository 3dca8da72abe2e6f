"""Every name that this package takes from Numba's insides, and every attribute of its classes that it relies on.

Nothing of this is promised by Numba from one version to the next. What is below `Needed by both pipelines` has been the
same for years. What the fast pipeline needs besides may be missing in a version: `MISSING` says so then, and the plain
pipeline is used (`astragal.compiler.switches`). `tests/compiler/test_numba_names.py` names what a version lacks.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, implicit-reexport
# ruff: noqa: F401
from __future__ import annotations

# Needed by both pipelines
from numba.core import analysis, cgutils, errors, sigutils, typing
from numba.core import ir as numba_ir
from numba.core.caching import _Cache
from numba.core.callconv import CPUCallConv
from numba.core.compiler import CompilerBase, CompileResult, DefaultPassBuilder
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import FunctionPass, PassManager, register_pass
from numba.core.cpu import CPUContext
from numba.core.datamodel import PrimitiveModel
from numba.core.datamodel.models import handle_bound_function
from numba.core.datamodel.registry import register_default
from numba.core.environment import Environment
from numba.core.imputils import fix_returning_optional, impl_ret_borrowed, lower_constant
from numba.core.ir_utils import build_definitions
from numba.core.lowering import Lower
from numba.core.registry import CPUDispatcher
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps
from numba.core.typed_passes import NativeLowering
from numba.core.types.functions import _unlit_non_poison  # type: ignore[attr-defined]
from numba.core.typing.templates import AttributeTemplate, infer, infer_global, make_intrinsic_template
from numba.core.untyped_passes import FixupArgs
from numba.np.arrayobj import populate_array

MISSING = ""  # what the fast pipeline needs and this version of Numba lacks

try:  # Needed by the fast pipeline only
    from numba.core import base
    from numba.core.codegen import CodeLibrary, JITCodeLibrary
    from numba.core.registry import cpu_target
except ImportError as error:
    MISSING = str(error)


def linear_algebra():
    """A module that takes long to import, and is needed for a compile only."""
    from numba.np import linalg

    return linalg


SINCE = {"_reload_init": (0, 63, 1)}  # attributes that earlier versions do without

ATTRIBUTES = {  # of Numba's classes and modules: what is overridden, replaced for a while, read or set
    "numba.core.base": ["_has_loc"],
    "numba.core.base.BaseContext": [
        "_registries",
        "add_linking_libs",
        "call_conv",
        "get_c_value",
        "get_constant_generic",
        "get_function",
        "insert_const_string",
        "install_registry",
        "make_constant_array",
        "refresh",
    ],
    "numba.core.caching._Cache": ["disable", "enable", "flush", "load_overload", "save_overload"],
    "numba.core.callconv.CPUCallConv": [
        "build_excinfo_struct",
        "call_function",
        "get_function_type",
        "return_status_propagate",
        "return_user_exc",
    ],
    "numba.core.cgutils._StructProxy": ["_getvalue"],
    "numba.core.codegen.CPUCodegen": [
        "_data_layout",
        "_function_pass_manager",
        "create_library",
        "magic_tuple",
    ],
    "numba.core.codegen.JITCodeLibrary": [
        "_codegen",
        "_dynamic_globals",
        "_ensure_finalized",
        "_final_module",
        "_finalized",
        "_get_module_for_linking",
        "_linking_libraries",
        "_raise_if_finalized",
        "_reload_init",
        "_shared_module",
        "_verify_declare_only_symbols",
        "add_ir_module",
        "add_linking_library",
        "enable_object_caching",
        "finalize",
        "get_llvm_str",
        "has_dynamic_globals",
    ],
    "numba.core.compiler.CompileResult": ["_rebuild", "_reduce", "lifted"],
    "numba.core.compiler.CompilerBase": ["_compile_core", "define_pipelines", "state"],
    "numba.core.compiler_machinery.PassManager": ["add_pass_after", "finalize", "passes"],
    "numba.core.cpu.CPUContext": ["get_executable"],
    "numba.core.dispatcher.Dispatcher": [
        "_cache",
        "_compiler",
        "_compiling_counter",
        "add_overload",
        "compile",
        "get_call_template",
        "overloads",
        "py_func",
        "targetoptions",
    ],
    "numba.core.environment.Environment": ["consts", "env_name"],
    "numba.core.ir.FunctionIR": ["_definitions", "blocks"],
    "numba.core.lowering.Lower": [
        "_lower_call_normal",
        "fold_call_args",
        "loadvar",
        "lower_binop",
        "lower_expr",
        "lower_getitem",
        "lower_print",
        "lower_setitem",
        "pre_block",
        "pre_lower",
        "typeof",
    ],
    "numba.core.typing.context.BaseContext": ["resolve_getattr", "resolve_value_type"],
    "numba.core.types": ["maybe_literal"],
    "numba.core.types.BoundFunction": ["get_call_signatures", "get_call_type", "get_impl_key", "key", "this"],
    "numba.core.types.Dispatcher": ["dispatcher", "get_call_type", "get_impl_key"],
    "numba.core.types.Function": ["get_call_type"],
    "numba.core.types.Literal": ["ctor_map"],
    "numba.extending._Intrinsic": ["_defn"],
    "numba.np.linalg": ["ensure_blas"],
}
