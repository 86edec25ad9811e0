/** The four roles by rule: each is a function from its prompt to its answer, and sees what a model in its place would see. */
import { rules } from "madrigal";

type Action = { id: string; tool: string; args: Record<string, string>; isDone: boolean };
type Request = Parameters<NonNullable<Parameters<typeof rules>[0]>>[0];

const textsOf = (content: unknown): string =>
  typeof content === "string"
    ? content
    : (content as { text?: string }[]).map(({ text = "" }) => text).join("");
/** The prompt of a role, as it was asked. */
const promptOf = ({ messages }: Request) =>
  textsOf(messages.findLast(({ role }) => role === "user")?.content);
/** The JSON behind a word of the prompt. */
function valueBehind(text: string, word: string) {
  const [, after = ""] = text.split(`${word}: `);
  const [json = "null"] = /^(?:\[\]|\{\}|[[{][\s\S]*?\n[\]}])/.exec(after) ?? [];
  return JSON.parse(json);
}

export const router = rules((request) => {
  const text = promptOf(request);
  const plan: Action[] = valueBehind(text, "plan");
  const errors: string[] = valueBehind(text, "errors");
  const step = Number(/current_step: (\d+)/.exec(text)?.[1]);
  const failed = plan.slice(0, step).find(({ isDone }) => !isDone);
  if (plan.length === 0) return { json: { next: "planning" } };
  if (failed !== undefined)
    return {
      json: {
        next: errors.some((error) => error.startsWith(failed.id)) ? "planning" : "analysing",
      },
    };
  return { json: { next: step < plan.length ? "acting" : "analysing" } };
});

const action = (id: string, tool: string, args: Record<string, string>): Action => ({
  id,
  tool: `house.${tool}`,
  args,
  isDone: false,
});
const lighting = [
  action("enter", "go", { to: "cellar" }),
  action("light", "use", { thing: "lamp" }),
];
const unlocking = [
  action("fetch", "go", { to: "kitchen" }),
  action("grab", "take", { thing: "key" }),
  action("return", "go", { to: "hall" }),
  action("unlock", "use", { thing: "key" }),
];
export const planner = rules((request) => {
  const text = promptOf(request);
  const done = valueBehind(text, "Plan so far").filter(({ isDone }: Action) => isDone);
  const isLocked = valueBehind(text, "Errors so far").some((error: string) =>
    error.includes("locked"),
  );
  return { json: { plan: [...done, ...(isLocked ? unlocking : []), ...lighting] } };
});

export const actor = rules((request) => {
  const result = request.messages.findLast(({ role }) => role === "tool");
  if (result !== undefined) {
    const [{ output }] = result.content as unknown as [{ output: { type: string; value: string } }];
    return { json: { outcome: { text: output.value, worked: output.type === "text" } } };
  }
  const { tool, args } = valueBehind(promptOf(request), "whether it worked") as Action;
  return { calls: [{ tool: tool.replace(".", "_"), input: args }] };
});

export const analyst = rules((request) => {
  const prompt = promptOf(request);
  const seen: { action: string; text: string; worked: boolean }[] = valueBehind(
    prompt,
    "Observations",
  );
  const last = seen.at(-1);
  const status = last?.text.includes("the lamp is on") ? "completed" : "in progress";
  if (last?.worked !== false) return { json: { status } };
  return { json: { status, errors: [`${last.action}: ${last.text}`] } };
});
