/** The program of cells: TypeScript 7 checks and explains them, TypeScript 6 emits them and answers what else is asked of types. */
import { type CellProgram, createConverterProgram } from "../cells/cell-program.ts";
import { type CellModule, cellModule } from "../cells/cell-text.ts";
import type { Compiler } from "../compiler/compiler-internals.ts";
import { compilerOptions } from "../compiler/compiler-options.ts";
import { toTextDiagnostic } from "../compiler/errors-of.ts";
import { loadCompiler } from "../compiler/tslab-converter.ts";
import { analyzeCell, type Compilers, diagnoseCell } from "./analyze-cell.ts";
import { completeCell } from "./editor/complete-cell.ts";
import { explainName } from "./editor/explain-name.ts";
import { openNamesInScope } from "./editor/names-in-scope.ts";
import { findNativeProgram } from "./find-native-program.ts";
import { NativeCompiler, type TellStarted } from "./native-compiler.ts";
import { withQueryTags } from "./typed-queries.ts";

/**
 * A program whose libraries TypeScript 6 loads only when it is asked: for types that a graph names, and for a cell whose
 * declarations it alone can write.
 */
export function openCellProgram(started: TellStarted): CellProgram {
  // It starts while the other compiler is loaded.
  const native = startNative(started);
  const compiler = loadCompiler();
  let opened: CellProgram | undefined;
  const whole = () => {
    opened ??= createConverterProgram(compiler);
    return opened;
  };
  if (native === undefined) return whole();
  const by: Compilers = { compiler, native, options: compilerOptions(compiler) };
  const namesInScope = openNamesInScope(compiler, by.options);
  return {
    compiler,
    analyze: (code, earlier, queries = []) => {
      const module = cellModule(compiler, code);
      return (
        syntaxErrors(compiler, module) ??
        attempt(() => analyzeCell(withQueryTags({ module, earlier }, queries), by)) ??
        whole().analyze(code, earlier)
      );
    },
    diagnose: (code, earlier) => {
      const module = cellModule(compiler, code);
      return (
        syntaxErrors(compiler, module)?.diagnostics ??
        attempt(() => diagnoseCell({ module, earlier }, by)) ??
        whole().diagnose(code, earlier)
      );
    },
    look: (code, earlier, look) => whole().look(code, earlier, look),
    complete: (asked, earlier) =>
      attempt(() => completeCell(asked, earlier, { ...by, namesInScope })) ??
      whole().complete(asked, earlier),
    inspect: (asked, earlier) =>
      (
        attempt(() => ({ info: explainName(asked, earlier, by) })) ?? {
          info: whole().inspect(asked, earlier),
        }
      ).info,
    revision: () => native.poll(),
    close: () => {
      native.close();
      opened?.close();
    },
  };
}

/** Returns undefined where there is no program for this system, or it may not be executed: TypeScript 6 does all there. */
function startNative(started: TellStarted): NativeCompiler | undefined {
  return attempt(() => {
    const native = new NativeCompiler(findNativeProgram(), loadCompiler);
    started(native.started);
    return native;
  });
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function syntaxErrors(compiler: Compiler, { syntaxErrors }: CellModule) {
  if (syntaxErrors.length === 0) return undefined;
  return { diagnostics: syntaxErrors.map((one) => toTextDiagnostic(compiler, one)) };
}
