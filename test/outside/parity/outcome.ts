/** Tells in a line what came of a scene, in the same words for both engines. */
import type { ServerAnswer, ServerRequest } from "../../support/openai-server.ts";
import type { Scene } from "./scenes.ts";

/** The deeds of an engine, as its own events tell them. */
export interface Played {
  /** `done`, `error` or `abort`; of each time that it was executed. */
  readonly ends: readonly string[];
  /** `begin ID`, `end ID` and `result`, in their order. */
  readonly events: readonly string[];
  readonly toolCalls: number;
  readonly result: string;
}

/** Answers as the voices of a scene do, and keeps who was asked, and who was told what the step 0 came to. */
export function voicesOf({ plans, says }: Scene) {
  const asked: string[] = [];
  const toldOf: string[] = [];
  const first = says["0"]?.at(-1);
  const resultOf0 = first !== undefined && "text" in first ? first.text : undefined;
  const answer = ({ body }: ServerRequest): ServerAnswer => {
    const said = (role: string) =>
      JSON.stringify(body.messages.filter((one) => one.role === role).map((one) => one.content));
    const isPlanner = /Agent Planner|You plan the work/.test(said("system"));
    const [, step = ""] = /Step (\w+)/.exec(said("user")) ?? [];
    const who = isPlanner ? "plan" : step;
    const at = asked.filter((one) => one === who).length;
    asked.push(who);
    const whole = said("system") + said("user");
    if (who === "1" && resultOf0 !== undefined && whole.includes(resultOf0)) toldOf.push(who);
    const answers = isPlanner ? plans : (says[who] ?? []);
    return withNamesOf(body, answers[Math.min(at, answers.length - 1)] ?? { status: 400 });
  };
  return { answer, asked, toldOf };
}

/** Calls a tool by the name under which the model was told of it: `env_look` here, `look` there. */
function withNamesOf({ tools = [] }: ServerRequest["body"], answer: ServerAnswer): ServerAnswer {
  if (!("calls" in answer) || answer.calls === undefined) return answer;
  const names = tools.map((one) => one.function.name);
  const calls = answer.calls.map((call) => ({
    ...call,
    tool: names.find((name) => name.endsWith(call.tool)) ?? call.tool,
  }));
  return { ...answer, calls };
}

/** `done; 0, 1; 3 model calls; 1 tool call; the result`. */
export function outcomeText(played: Played, modelCalls: number, toldOf: readonly string[]): string {
  const { ends, events, toolCalls, result } = played;
  const results = events.filter((event) => event === "result").length;
  return [
    ends.join(", then "),
    orderOf(events, toldOf),
    counted(modelCalls, "model call"),
    counted(toolCalls, "tool call"),
    counted(results, "result"),
    result,
  ]
    .filter((part) => part !== "")
    .join("; ");
}

/** Steps that had begun before the last one ended stand beside it. */
function orderOf(events: readonly string[], toldOf: readonly string[]): string {
  const open = new Set<string>();
  let text = "";
  for (const event of events) {
    const [what, id = ""] = event.split(" ");
    if (what === "begin") {
      text += `${text === "" ? "" : open.size > 0 ? " beside " : ", "}${id}`;
      if (toldOf.includes(id)) text += " (told of 0)";
      open.add(id);
    } else if (what === "end") open.delete(id);
  }
  return text;
}

function counted(count: number, noun: string): string {
  if (count === 0) return "";
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}
