/** Reads and writes AWorld's plans: steps by id, and a `dag` whose entries are done one after the other, lists side by side. */
import { isRecord, type Plan, type PlanStep, planLevels } from "../../dsl/index.ts";
import { jsonIn } from "./json-in.ts";
import { noPlanIn, type PlannerAnswer } from "./plan-format.ts";

const PLANNING = /<PLANNING_TAG>([\s\S]*?)<\/PLANNING_TAG>/;
const ANSWER = /<FINAL_ANSWER_TAG>([\s\S]*?)<\/FINAL_ANSWER_TAG>/;

/** A planner that is done answers with an empty plan, or none, and its final answer. */
export function readAworldPlan(given: unknown): PlannerAnswer {
  const text = typeof given === "string" ? given : undefined;
  const answer = text === undefined ? undefined : ANSWER.exec(text)?.[1]?.trim();
  const planned =
    text === undefined ? given : (PLANNING.exec(text)?.[1] ?? text.replace(ANSWER, ""));
  const value = jsonIn(planned);
  const plan = value === undefined ? undefined : planOf(value);
  if (plan !== undefined && plan.steps.length > 0) {
    return { plan, ...(answer === undefined ? {} : { answer }) };
  }
  if (answer !== undefined) return { answer };
  throw noPlanIn(
    "aworld",
    value === undefined ? "it holds no plan and no answer" : "it has no steps",
  );
}

function planOf({ steps, dag }: Readonly<Record<string, unknown>>): Plan {
  if (!isRecord(steps)) throw noPlanIn("aworld", "`steps` is not an object of steps by id");
  if (!Array.isArray(dag)) throw noPlanIn("aworld", "`dag` is not a list of ids");
  const groups = dag.map(idsOf);
  const listed = groups.flat();
  const missing = Object.keys(steps).filter((id) => !listed.includes(id));
  if (missing.length > 0)
    throw noPlanIn("aworld", `\`dag\` does not name \`${missing.join("`, `")}\``);
  return {
    steps: groups.flatMap((ids, at) =>
      ids.map((id) => stepOf(id, steps[id], groups[at - 1] ?? [])),
    ),
  };
}

/** Lists may be nested: what stands in one list is done side by side. */
function idsOf(entry: unknown): readonly string[] {
  if (Array.isArray(entry)) return entry.flatMap(idsOf);
  if (typeof entry === "string") return [entry];
  throw noPlanIn("aworld", `\`dag\` has ${JSON.stringify(entry)}, which is no id`);
}

function stepOf(id: string, step: unknown, depends: readonly string[]): PlanStep {
  if (!isRecord(step))
    throw noPlanIn("aworld", `\`dag\` names \`${id}\`, and there is no such step`);
  const { input, id: agent, title } = step;
  const details = typeof input === "string" ? input : JSON.stringify(input ?? "");
  return {
    id,
    title: typeof title === "string" ? title : id,
    details,
    ...(typeof agent === "string" ? performerOf(agent) : {}),
    ...(depends.length === 0 ? {} : { depends }),
  };
}

/** A tool is called `server__action` there, and `server.action` here. */
function performerOf(id: string): Pick<PlanStep, "agent" | "tool"> {
  return id.includes("__") ? { tool: id.replace("__", ".") } : { agent: id };
}

/** A step that depends on some steps of the entry before waits for all of them there: a `dag` can say no more. */
export function writeAworldPlan(plan: Plan): string {
  const steps = Object.fromEntries(
    plan.steps.map(({ id, title, details, agent, tool }) => [
      id,
      {
        ...(agent == null && tool == null ? {} : { id: agent ?? tool?.replace(".", "__") }),
        input: details,
        ...(title === id ? {} : { title }),
      },
    ]),
  );
  const dag = planLevels(plan).map((ids) => (ids.length === 1 ? ids[0] : ids));
  return `<PLANNING_TAG>\n${JSON.stringify({ steps, dag }, undefined, 2)}\n</PLANNING_TAG>`;
}
