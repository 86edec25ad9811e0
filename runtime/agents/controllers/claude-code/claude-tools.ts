/** Reads what calls of Claude Code's own tools come to: changed files with their differences, and steps of its plan. */
import { isRecord } from "../../../../dsl/index.ts";
import type { ControllerEvent } from "../../operator/controller.ts";

/** The tools that tell its plan. */
const PLANS: readonly string[] = ["TodoWrite"];

/** Returns the plan that a call tells. */
export function planSteps(tool: string, input: unknown): readonly ControllerEvent[] {
  if (!PLANS.includes(tool) || !isRecord(input) || !Array.isArray(input.todos)) return [];
  const steps = input.todos.filter(isRecord).map(({ content, status }) => ({
    text: String(content),
    status: String(status),
  }));
  return [{ kind: "plan_updated", steps }];
}

/** Returns the file that a call has changed, as its difference. */
export function changedFile(tool: string | undefined, result: unknown): readonly ControllerEvent[] {
  if (tool === undefined || !isRecord(result)) return [];
  const { filePath: path, content, structuredPatch: hunks } = result;
  if (typeof path !== "string") return [];
  const diff = patchText(path, hunks);
  const text = diff ?? (typeof content === "string" ? content : undefined);
  return [
    {
      kind: "artifact_created",
      name: path,
      artifactKind: diff === undefined ? "file" : "patch",
      mime: diff === undefined ? "text/plain" : "text/x-diff",
      path,
      ...(text === undefined ? {} : { text }),
    },
  ];
}

function patchText(path: string, hunks: unknown): string | undefined {
  if (!Array.isArray(hunks) || hunks.length === 0) return undefined;
  const texts = hunks.filter(isRecord).map((hunk) => {
    const { oldStart, oldLines, newStart, newLines, lines } = hunk;
    const head = `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`;
    return [head, ...(Array.isArray(lines) ? lines.map(String) : [])].join("\n");
  });
  return `--- ${path}\n+++ ${path}\n${texts.join("\n")}\n`;
}
