/** Makes the graph that a run has with prompts or strong agents of its own. */
import { isDeepStrictEqual } from "node:util";
import {
  type AgentSlots,
  type Ir,
  type PromptTexts,
  putAgents,
  putPrompts,
} from "../../dsl/index.ts";
import { RunError } from "../failure.ts";

/** The graph with these texts; throws M8177 with the place of what is wrong with one of them. */
export function withOwnPrompts(ir: Ir, texts: PromptTexts | undefined): Ir {
  if (texts === undefined || Object.keys(texts).length === 0) return ir;
  const { ir: prompted, diagnostics } = putPrompts(ir, texts);
  const [first] = diagnostics;
  if (first === undefined) return prompted;
  const { code, message, hint, file, line, column } = first;
  const what = code === "M8177" ? message : `${file}:${line}:${column} ${code} ${message}`;
  throw new RunError("M8177", what, { hint });
}

/** The graph with controllers in the place of its agents; throws M8341 for one that has no such place, or that can't be read. */
export function withControllers(ir: Ir, slots: AgentSlots): Ir {
  const { ir: driven, fault } = putAgents(ir, slots);
  if (fault !== undefined) throw new RunError("M8341", fault.message, { hint: fault.hint });
  return driven;
}

/** The graph with stored texts, which may have changed since: as it is, where the texts are not for it any more. */
export function withStoredPrompts(ir: Ir, texts: PromptTexts | undefined): Ir {
  if (texts === undefined) return ir;
  const { ir: prompted, diagnostics } = putPrompts(ir, texts);
  return diagnostics.length === 0 ? prompted : ir;
}

/** Returns whether a stored graph has strong agents that `withAgents` put into the text from which the other one was compiled. */
export function hasOwnAgents(stored: Ir, compiled: Ir): boolean {
  if (stored.source?.text.trim() !== compiled.source?.text.trim()) return false;
  const named = new Map(compiled.nodes.map(({ name, controller }) => [name, controller]));
  return stored.nodes.some(
    ({ name, controller }) =>
      controller !== undefined && !isDeepStrictEqual(controller, named.get(name)),
  );
}
