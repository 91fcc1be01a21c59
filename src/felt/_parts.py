"""Kernels that call kernels: each program is optimized and turned into machine code once, with all that it calls.

Numba by itself does so for every kernel on the way: for the one that Python calls, for each kernel that this one calls,
and so on, although only the first is run as it is. Here a kernel that another kernel calls is a *part*: it is typed and
lowered to LLVM's language, and linked into its caller. A kernel that Python calls is a *program*, made of its part.

All this is private to Numba, so it is used only with versions that it was tested with (`TESTED`).
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numba

TESTED = ("0.68.",)
"""How the versions of Numba begin whose private parts are as they are used here; a part of `felt._jit.KNOWN_NUMBA`."""


def knows_parts() -> bool:
    """Whether this Numba is one of them."""
    version: str = numba.__version__
    return version.startswith(TESTED)


def link_parts(compiled: Any, widen: Callable[[Any], Any]) -> None:
    """Make a kernel a part of the kernels that call it, and a program only when Python calls it.

    `widen` gives the types that are compiled in place of those of a call. The kernel's ``_cache`` may store parts
    (``load_part``, ``save_part``) beside programs.
    """
    from numba.core import typing
    from numba.core.compiler_lock import global_compiler_lock

    parts: dict[Any, Any] = {}
    compiler, compile_program, name = compiled._compiler, compiled.compile, compiled.py_func.__name__

    def part_of(types: Any, *, save: bool) -> Any:
        if types not in parts:
            stores = hasattr(compiled._cache, "load_part")
            part = compiled._cache.load_part(types, compiled.targetctx) if stores else None
            if part is None:
                part = _compile_part(compiled, types)
                if stores and save:
                    compiled._cache.save_part(types, part)
            parts[types] = part
        return parts[types]

    def get_call_template(args: Any, kws: Any) -> Any:
        """Asked by Numba when a kernel that it compiles calls this one."""
        signature, folded = compiler.fold_argument_types(args, kws)
        types = widen(tuple(folded))
        with global_compiler_lock:
            if types not in compiled.overloads:
                part = part_of(types, save=True)
                compiled.targetctx.insert_user_function(part.entry_point, part.fndesc, [part.library])
                compiled.overloads[types] = part
        template = typing.make_concrete_template(name, key=name, signatures=compiled.nopython_signatures)
        return template, signature, folded, {}

    def compile_for_python(signature: Any) -> Any:
        """Asked by Numba when Python calls the kernel with types that are new."""
        types = widen(signature)
        with global_compiler_lock:
            if types in parts and compiled.overloads.get(types) is parts[types]:
                del compiled.overloads[types]  # a part cannot be called
            return compile_program(types)

    def make_program(types: Any, return_type: Any) -> Any:
        part = part_of(tuple(types), save=False)
        program = _make_program(part)
        compiled.targetctx.insert_user_function(program.entry_point, part.fndesc, [part.library])
        return program

    compiled.get_call_template, compiled.compile, compiler.compile = get_call_template, compile_for_python, make_program


class _Entry:
    """Stands for the machine code of a part, which has none."""


@cache
def _library_class() -> Any:
    from numba.core.codegen import JITCodeLibrary

    class PartLibrary(JITCodeLibrary):  # type: ignore[misc]  # Numba's annotations are partial
        """Code that is linked, but neither optimized as a whole nor made machine code."""

        def finalize(self) -> None:
            for library in dict.fromkeys(self._linking_libraries):
                self._reload_init.update(library._reload_init)
                self._final_module.link_in(library._get_module_for_linking(), preserve=True)
            self._final_module.verify()
            self._finalize_dynamic_globals()
            self._finalized = True

    return PartLibrary


def _compile_part(compiled: Any, types: Any) -> Any:
    """Type and lower a kernel; the wrapper for Python's arguments is left to programs."""
    from numba.core.compiler import Compiler, Flags, compile_extra

    flags = Flags()
    compiled.targetdescr.options.parse_as_flags(flags, compiled.targetoptions)
    flags.no_compile = flags.no_cpython_wrapper = True
    context = compiled.targetctx
    library = _library_class()(context.codegen(), compiled.py_func.__qualname__)
    with compiled._compiling_counter:
        part = compile_extra(compiled.typingctx, context, compiled.py_func, types, None, flags, {}, library, Compiler)
    library._ensure_finalized()
    return part._replace(entry_point=_Entry())


def _make_program(part: Any) -> Any:
    """Optimize a part with all that it calls, and make it a function of Python."""
    context = part.target_context
    library = part.codegen.create_library(part.library.name)
    library.enable_object_caching()
    context.create_cpython_wrapper(library, part.fndesc, part.environment, part.call_helper, release_gil=True)
    library._reload_init.update(part.library._reload_init)
    library._final_module.link_in(part.library._final_module, preserve=True)
    library._optimize_final_module()
    library._final_module.verify()
    library._finalize_final_module()
    entry_point = context.get_executable(library, part.fndesc, part.environment)
    # The part's metadata stay with the part: Numba notes in them how long a program took, and refuses to do so twice.
    program = part._replace(library=library, entry_point=entry_point, metadata=None)
    for environment in program._find_referenced_environments():
        library.codegen.set_env(environment.env_name, environment)
    return program


def reduce_part(part: Any) -> tuple[Any, ...]:
    """A part as values that can be pickled."""
    part.fndesc.typemap = part.fndesc.calltypes = None  # as Numba does with what it stores
    library, environments = part.library, part._find_referenced_environments()
    code = library.name, library._final_module.as_bitcode()
    return code, part.fndesc, part.environment, part.signature, part.reload_init, environments


def rebuild_part(
    context: Any, code: Any, fndesc: Any, environment: Any, signature: Any, reload_init: Any, _environments: Any
) -> Any:
    """The part that `reduce_part` made values of; environments are known again since they were unpickled."""
    from llvmlite import binding  # type: ignore[import-untyped]  # it comes without types
    from numba.core.compiler import compile_result

    for initialize in reload_init:
        initialize()
    name, bitcode = code
    library = _library_class()(context.codegen(), name)
    library._reload_init.update(reload_init)
    library._final_module = binding.parse_bitcode(bitcode)
    library._finalized = True
    return compile_result(
        target_context=context,
        typing_context=context.typing_context,
        entry_point=_Entry(),
        signature=signature,
        fndesc=fndesc,
        library=library,
        environment=environment,
        objectmode=False,
        lifted=(),
        reload_init=reload_init,
    )
