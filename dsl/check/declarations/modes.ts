/** Checks the modes of a file: each names values of its settings and ids of its models. */
import { nearest } from "../../names/nearest.ts";
import { configEntries } from "../../names/symbols.ts";
import type { ExprAst, Name } from "../../syntax/tree/ast.ts";
import { MODES } from "../../vocabulary/modes.ts";
import type { FileCheck } from "../context.ts";

/** Reports a mode with a name that is no setting and no model of the file, or with another type of value. */
export function checkModes({ ast, file, report }: FileCheck): void {
  for (const { key, value } of configEntries(ast)) {
    if (key.text !== MODES) continue;
    if (value.kind !== "object") {
      report({
        code: "M4190",
        message: "`modes` is no object of modes",
        span: key.span,
        hint: FORM,
      });
      continue;
    }
    for (const mode of value.entries) checkMode(mode, { file, report });
  }
}

const FORM = 'write `modes: { fast: { width: 2, smart: "rules" } }`';

interface ModeEntry {
  readonly key: Name;
  readonly value?: ExprAst;
}

function checkMode({ key, value }: ModeEntry, of: Pick<FileCheck, "file" | "report">): void {
  const { file, report } = of;
  if (value?.kind !== "object") {
    const message = `the mode \`${key.text}\` is no object of settings and models`;
    report({ code: "M4190", message, span: key.span, hint: FORM });
    return;
  }
  for (const entry of value.entries) {
    const { text, span } = entry.key;
    const usual = text === MODES ? undefined : file.config.get(text)?.value;
    const isModel = file.models.has(text);
    if (usual === undefined && !isModel) {
      const known = [...file.config.keys(), ...file.models.keys()].filter((name) => name !== MODES);
      const meant = nearest(text, known);
      const hint =
        meant === undefined
          ? `they are ${known.join(", ") || "none"}`
          : `did you mean \`${meant}\`?`;
      const message = `\`${text}\` is no setting and no model of the file`;
      report({ code: "M4190", message, span, hint });
      continue;
    }
    const wanted = isModel ? "string" : usual?.kind;
    const given = entry.value?.kind;
    if (given === undefined || !isPlain(entry.value) || (isLiteral(wanted) && wanted !== given)) {
      const what = isModel ? "the id of a model, as a text" : `a ${wanted}, like the setting`;
      const message = `\`${text}\` of the mode \`${key.text}\` is not ${what}`;
      report({ code: "M4190", message, span: entry.value?.span ?? span, hint: FORM });
    }
  }
}

function isLiteral(kind: string | undefined): boolean {
  return kind === "string" || kind === "number" || kind === "boolean";
}

/** Nothing is computed in a mode: it can be read without a run. */
function isPlain(value: ExprAst | undefined): boolean {
  switch (value?.kind) {
    case "string":
    case "number":
    case "boolean":
    case "null":
      return true;
    case "list":
      return value.items.every(isPlain);
    case "object":
      return value.entries.every((entry) => isPlain(entry.value));
    default:
      return false;
  }
}
