"""Machine code from a text in LLVM's language, without a compile of Python."""

from __future__ import annotations

from typing import Any

import llvmlite.binding as llvm


class Module:
    """A module that was compiled: functions by name, as long as it lives."""

    def __init__(self, text: str) -> None:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        module = llvm.parse_assembly(text)
        features = llvm.get_host_cpu_features().flatten()
        target = llvm.Target.from_default_triple().create_target_machine(
            cpu=llvm.get_host_cpu_name(), features=features, opt=2, jit=True
        )
        self._engine: Any = llvm.create_mcjit_compiler(module, target)
        self._engine.finalize_object()
        self.text = text

    def address(self, name: str) -> int:
        return int(self._engine.get_function_address(name))
