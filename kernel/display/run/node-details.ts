/** Makes the texts about one node of a drawing: its program, and in a run what it was given, said and changed last. */
import { type Ir, printNode } from "../../../dsl/index.ts";
import { type CalledRun, type DrivenRun, redaction, Timeline } from "../../../runtime/index.ts";
import { kindOf, nameOf } from "../graph/layout.ts";
import { cut, visible, visibleLine } from "../visible.ts";
import { type ShownPage, shownTexts } from "./timeline-page.ts";

/** Texts with everything in them visible; nobody may take them for markup. */
export interface NodeDetails
  extends Partial<Pick<ShownPage, "changes" | "caption" | "transcript">> {
  readonly title: string;
  /** Its text in the language, with the prompt. */
  readonly program: string;
  /** The place of the run at which it ran last. */
  readonly place?: string;
}

const PROGRAM_CHARACTERS = 8_000;

/** Undefined where the graph has no such node. */
export function nodeDetails(ir: Ir, name: string): NodeDetails | undefined {
  const node = ir.nodes.find((one) => one.name === name);
  if (node === undefined) return undefined;
  return {
    title: visibleLine(`${nameOf(node)} · ${kindOf(node)}`),
    program: visible(cut(printNode(node, ir.fields), PROGRAM_CHARACTERS)),
  };
}

/** The same with the last time that the node ran, as the timeline of the run tells it; `go/look` is a node of what `go` calls. */
export function nodeDetailsInRun(run: DrivenRun, name: string): NodeDetails | undefined {
  const callers = name.split("/");
  const own = callers.pop() ?? "";
  const graph = calledBy(run, callers);
  // The texts of a plan's steps are what models have written.
  const nodes = graph && redaction.shownValue(graph.ir.nodes, run);
  const details = graph && nodeDetails({ ...graph.ir, nodes: nodes ?? [] }, own);
  if (details === undefined) return undefined;
  const timeline = new Timeline(run);
  const last = timeline.entries.findLast(
    ({ node, path }) => node === own && path.map(callerOf).join("/") === callers.join("/"),
  );
  if (last === undefined) return { ...details, place: "it has not run yet" };
  const { title, transcript, changes, caption } = shownTexts(timeline.at(last.index));
  return { ...details, place: title, transcript, changes, caption };
}

/** The latest graph that these nodes, one in the other, have called. */
function calledBy(run: DrivenRun, callers: readonly string[]): DrivenRun | CalledRun | undefined {
  return callers.reduce<DrivenRun | CalledRun | undefined>(
    (caller, name) => caller?.children.findLast(({ label }) => callerOf(label) === name),
    run,
  );
}

function callerOf(label: string): string {
  return label.replace(/#.*$/, "");
}
