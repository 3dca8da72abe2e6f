"""A frozen dataclass with plain methods, as a type that Numba compiles kernels against.

One Numba type class per Python class (with one for all, ``overload_method`` cannot distinguish two games).
The type's key holds

- the class's identity: its name and the fingerprint of its source;
- the Numba types of its **fields**, whose values travel at run time (parameters such as Pig's goal);
- the values of its **constants**, known at compile time: fields annotated ``Constant[...]`` and properties. One compile
  for each set of values is the price; branches on them vanish and tables made from them are as fast as literals.

A constant may be an instance of another compiled class, whose methods kernels call: ``steps.select.score(node)``. Its
fields are compiled in, and its class's identity is part of the key.

Plain class attributes (``max_actions = 18``) are compile-time constants too; the fingerprint already covers them.
"""

from __future__ import annotations

import dataclasses
import inspect
import threading
from typing import Any

import numpy as np
from numba import config, from_dtype, typeof, types
from numba.extending import (
    NativeValue,
    infer_getattr,
    lower_getattr_generic,
    models,
    register_model,
    unbox,
)

from astragal.base.parameters import is_constant_field
from astragal.compiler.announce import label
from astragal.compiler.dispatchers import Method, method_function
from astragal.compiler.fingerprint import is_compiled, is_ours, member_names, referred_values, value_text
from astragal.compiler.intrinsics import native, primitives
from astragal.compiler.intrinsics.native_vectors import FOURS
from astragal.compiler.intrinsics.primitives import scratch
from astragal.compiler.numba_names import (
    AttributeTemplate,
    cgutils,
    errors,
    impl_ret_borrowed,
    infer,
    infer_global,
    lower_constant,
    make_intrinsic_template,
)
from astragal.compiler.records import GAP
from astragal.compiler.switches import checks_all, checks_users


class GameType(types.Type):  # type: ignore[misc]
    """Numba's type of an instance of a compiled class; each compiled class has a subclass of its own."""

    identity = ""

    def __init__(self, fields: tuple[tuple[str, types.Type], ...], constants: str) -> None:
        self.fields, self.constants = fields, constants
        super().__init__(name=f"{self.identity}[{fields}, {constants}]")

    @property
    def key(self) -> tuple[Any, ...]:
        return self.identity, self.fields, self.constants

    @property
    def compiled_in(self) -> dict[str, Any]:
        """Its constants by name."""
        return CONSTANTS.get(self.key, {})

    @property
    def label(self) -> str:
        return LABELS.get(self.key, self.identity)

    def __reduce__(self) -> tuple[Any, ...]:  # as texts: a cached kernel must not need another game's module
        return rebuild_type, (self.identity, self.fields, self.constants)


# Two threads that use a game for the first time at once would make two classes. A kernel loaded for one of them does
# not fit the other, so every call would load it again.
making_types = threading.RLock()
TYPE_CLASSES: dict[str, type[GameType]] = {}  # identity -> its type class
CONSTANTS: dict[tuple[Any, ...], dict[str, Any]] = {}  # key of a type -> values of its constants
METHODS: dict[str, dict[str, Any]] = {}  # identity -> its methods by name, as functions that kernels call
KNOWN_STATES: set[np.dtype[Any]] = set()  # states whose fields Numba has
LABELS: dict[tuple[Any, ...], str] = {}  # key of a type -> its name while a kernel is compiled for it


def type_class(identity: str) -> type[GameType]:
    with making_types:
        if identity not in TYPE_CLASSES:
            kind = type("GameType", (GameType,), {"identity": identity})
            register_model(kind)(GameModel)
            unbox(kind)(unbox_fields)
            TYPE_CLASSES[identity] = kind
        return TYPE_CLASSES[identity]


def rebuild_type(identity: str, fields: tuple[tuple[str, types.Type], ...], constants: str) -> GameType:
    return type_class(identity)(fields, constants)


class GameModel(models.StructModel):  # type: ignore[misc]
    """In machine code an instance is the struct of its fields."""

    def __init__(self, manager: Any, fe_type: GameType) -> None:
        super().__init__(manager, fe_type, list(fe_type.fields))


def unbox_fields(kind: GameType, instance: Any, c: Any) -> NativeValue:
    native = cgutils.create_struct_proxy(kind)(c.context, c.builder)
    cleanups = []
    for name, field_type in kind.fields:
        attribute = c.pyapi.object_getattr_string(instance, name)
        value = c.unbox(field_type, attribute)
        setattr(native, name, value.value)
        if value.cleanup is not None:
            cleanups.append(value.cleanup)
        c.pyapi.decref(attribute)

    def cleanup() -> None:  # an array field holds a reference until the call is over
        for each in cleanups:
            each()

    return NativeValue(native._getvalue(), cleanup=cleanup if cleanups else None)


@infer_getattr
class GameAttributes(AttributeTemplate):  # type: ignore[misc]
    """Types of ``game.name``: a field's type, that of a constant (a literal where Numba has one), or a method."""

    key = GameType

    def generic_resolve(self, kind: GameType, name: str) -> types.Type | None:
        fields = dict(kind.fields)
        if name in fields:
            return fields[name]
        if name in kind.compiled_in:
            return constant_type(kind.compiled_in[name])
        method = METHODS.get(kind.identity, {}).get(name)
        return None if method is None else Method(kind, name, method)


def constant_type(value: Any) -> types.Type:
    if isinstance(value, (bool, int)):
        return types.literal(value)
    if isinstance(value, np.ndarray):
        return types.Array(typeof(value).dtype, value.ndim, "C", readonly=True)
    return typeof(value)


@lower_getattr_generic(GameType)
def lower_attribute(context: Any, builder: Any, kind: GameType, struct: Any, name: str) -> Any:
    fields = dict(kind.fields)
    if name in fields:
        value = getattr(cgutils.create_struct_proxy(kind)(context, builder, value=struct), name)
        return impl_ret_borrowed(context, builder, fields[name], value)
    value = kind.compiled_in[name]
    value_type = constant_type(value)
    if isinstance(value, np.ndarray):
        return context.make_constant_array(builder, value_type, np.ascontiguousarray(value))
    return context.get_constant_generic(builder, getattr(value_type, "literal_type", value_type), value)


@lower_constant(GameType)
def lower_instance(context: Any, builder: Any, kind: GameType, instance: Any) -> Any:
    """An instance that a kernel refers to by a global name, or that another instance holds as a constant."""
    struct = cgutils.create_struct_proxy(kind)(context, builder)
    for name, field_type in kind.fields:
        setattr(struct, name, context.get_constant_generic(builder, field_type, getattr(instance, name)))
    return struct._getvalue()


def numba_type(instance: Any, identity: str) -> GameType:
    """The Numba type of an instance of a compiled class; its methods are made known to Numba on first use."""
    with making_types:
        return made_type(instance, identity)


def made_type(instance: Any, identity: str) -> GameType:
    cls = type(instance)
    identity += " checked" if checks_all() else "" if checks_users() else " unchecked"
    kind = type_class(identity)
    if identity not in METHODS:
        METHODS[identity] = {} if config.DISABLE_JIT else compiled_methods(cls)
        register_state(cls)
    fields, keyed = [], {}
    for field in dataclasses.fields(cls):
        value = getattr(instance, field.name)
        if isinstance(value, (str, type(None))):
            continue  # settings that only Python code reads
        if is_constant_field(field):
            keyed[field.name] = value
        else:
            fields.append((field.name, typeof(value)))
    for name in member_names(cls):
        if isinstance(getattr(cls, name), property):
            value = getattr(instance, name)
            if is_constant(value):
                keyed[name] = value
    result = kind(tuple(fields), digest(keyed))
    constants = CONSTANTS[result.key] = class_constants(cls) | keyed
    LABELS[result.key] = label(instance, keyed)
    for value in constants.values():
        register_inner(value)
    return result


def register_inner(constant: Any) -> None:
    """Give Numba the methods of a compiled instance that another one holds: while it types a kernel, it misses them."""
    for value in constant if isinstance(constant, tuple) else (constant,):
        if is_compiled(value):
            value._numba_type_  # noqa: B018 (it is made on first use, and kept)


def is_constant(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(is_constant(item) for item in value)
    return isinstance(value, (bool, int, float, np.integer, np.floating, np.ndarray)) or is_compiled(value)


def class_constants(cls: type) -> dict[str, Any]:
    names = set(member_names(cls)) - {f.name for f in dataclasses.fields(cls)}
    return {name: getattr(cls, name) for name in names if is_constant(getattr(cls, name))}


def digest(constants: dict[str, Any]) -> str:
    """A short text that differs for two sets of constants, and for an edited class."""
    return " ".join(f"{name}={value_text(value)}" for name, value in sorted(constants.items()))


def compiled_methods(cls: type) -> dict[str, Any]:
    """The methods that kernels may call as ``game.method(...)``; one may call others and be inherited, as in Python."""
    methods = {}
    for name in member_names(cls):
        method = inspect.getattr_static(cls, name)
        if inspect.isfunction(method):
            methods[name] = method_function(method)
            register_functions(method)
    return methods


class StateAttributes(AttributeTemplate):  # type: ignore[misc]
    """Types of ``state.name``, in place of Numba's own for a game's states, whose error is no help."""

    def generic_resolve(self, record: types.Record, name: str) -> types.Type:
        if name in record.fields:
            return record.typeof(name)
        names = ", ".join(known for known in record.fields if not known.startswith(GAP))
        raise errors.TypingError(f"the state has no field '{name}' (it has: {names})")


def register_state(cls: type) -> None:
    """Make Numba's error list the fields if a game uses another one."""
    dtype = getattr(cls, "state", None)
    if isinstance(dtype, np.dtype) and dtype not in KNOWN_STATES:
        KNOWN_STATES.add(dtype)
        infer_getattr(type("StateAttributes", (StateAttributes,), {"key": from_dtype(dtype)}))


def register_functions(function: Any) -> None:
    """Let kernels call the plain Python functions that a method refers to, and those that these refer to."""
    for helper in referred_values(function).values():
        register_inner(helper)
        if inspect.isfunction(helper) and helper not in CALLABLE and is_ours(helper):
            CALLABLE.add(helper)
            let_kernels_call(helper, helper)
            register_functions(helper)


def let_kernels_call(function: Any, meaning: Any) -> None:
    """Compile another function of the same meaning, or itself, where a kernel calls a plain Python function."""
    compiled = method_function(meaning)
    infer_global(function, types.Dispatcher(COMPILED.setdefault(function, compiled)))


def let_kernels_call_intrinsic(function: Any, native: Any, prefer_literal: bool = False) -> None:
    """Put an intrinsic of the same meaning where a kernel calls a plain Python function."""
    options: dict[str, Any] = {"prefer_literal": prefer_literal, "kwargs": {}}
    template = make_intrinsic_template(native, native._defn, function.__name__, **options)
    infer_global(function, types.Function(infer(template)))


COMPILED: dict[Any, Any] = {}  # plain functions -> what kernels call for them
# functions that kernels have already
CALLABLE: set[Any] = {
    primitives.lowest_bit,
    primitives.bit_count,
    primitives.two_words,
    scratch,
}
if not config.DISABLE_JIT:  # not a function of its own, whose stack would be gone when it returns
    let_kernels_call_intrinsic(scratch, native.scratch, prefer_literal=True)
    let_kernels_call(primitives.lowest_bit, native.lowest_bit)
    let_kernels_call(primitives.bit_count, native.bit_count)
    let_kernels_call(primitives.two_words, native.two_words)
    if native.has_deposit():
        CALLABLE.add(primitives.nth_bit)
        let_kernels_call(primitives.nth_bit, native.nth_bit)
    for _function, _native in FOURS.items():
        CALLABLE.add(_function)
        let_kernels_call_intrinsic(_function, _native)
