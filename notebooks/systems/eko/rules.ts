/** The models of the program by rule: each answers from its prompt alone, as a model in its place would have to. */
import { rules } from "madrigal";

type Request = Parameters<NonNullable<Parameters<typeof rules>[0]>>[0];
type Message = Request["messages"][number];

function textOf({ content }: Message): string {
  if (typeof content === "string") return content;
  return (content as { text?: string }[]).map(({ text = "" }) => text).join("");
}

const promptOf = ({ messages }: Request) =>
  messages
    .filter(({ role }) => role === "user")
    .map(textOf)
    .join("\n");

/** Returns the last answer of a tool in this attempt. */
function resultIn({ messages }: Request): string | undefined {
  const last = messages.findLast(({ role }) => role === "tool");
  if (last === undefined) return undefined;
  const [first] = last.content as unknown as { output: { value: unknown } }[];
  const value = first?.output.value;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The plan for lamps: the letters that are there, one by one, beside the one that is still to come; then both compared. */
export const PLAN = `The letters can be read while another one is waited for.
<root>
  <name>Lamps</name>
  <thought>One letter is still to come.</thought>
  <agents>
    <agent name="Mail" id="list" dependsOn="">
      <task>List the letters</task>
      <nodes><node output="letters">say their names</node></nodes>
    </agent>
    <agent name="Mail" id="wait" dependsOn="">
      <task>Wait for the next letter</task>
      <nodes>
        <watch event="file" loop="false">
          <description>a letter arrives</description>
          <trigger><node>read it</node></trigger>
        </watch>
      </nodes>
    </agent>
    <agent name="Mail" id="prices" dependsOn="list">
      <task>Read the letters</task>
      <nodes><forEach items="letters"><node>read the price</node></forEach></nodes>
    </agent>
    <agent name="Writer" id="say" dependsOn="prices,wait">
      <task>Compare the prices</task>
      <nodes><node input="prices">name the least</node></nodes>
    </agent>
  </agents>
</root>`;

export const talker = rules((request) => {
  const text = promptOf(request);
  const least = /The least price is \d+\./.exec(text);
  if (least !== null) return least[0];
  if (!text.includes("lamp")) return "4";
  return { calls: [{ tool: "handoff", input: { to: "planning_it", task: "Plan it." } }] };
});

export const planner = rules(() => PLAN);

export const worker = rules((request) => {
  const text = promptOf(request);
  const result = resultIn(request);
  const item = /This time for: (\w+)/.exec(text)?.[1];
  if (text.includes("Compare the prices")) {
    if (result !== undefined) return `The least price is ${result}.`;
    const prices = [...text.matchAll(/costs (\d+)/g)].map(([, price]) => Number(price));
    const least = Math.min(...prices);
    return { calls: [{ tool: "Checked", input: { claim: `${least} is the least` } }] };
  }
  if (text.includes("Wait for")) {
    if (result === undefined) return { calls: [{ tool: "mail_wait", input: {} }] };
    return result.startsWith("A lamp")
      ? result
      : { calls: [{ tool: "mail_read", input: { name: result } }] };
  }
  if (result !== undefined) return result;
  return {
    calls: [
      item === undefined
        ? { tool: "mail_list", input: {} }
        : { tool: "mail_read", input: { name: item } },
    ],
  };
});

export const checker = rules((request) => {
  const [, number] = /Is this right\? (\d+)/.exec(promptOf(request)) ?? [];
  return number ?? { json: { check: { thought: "", isWrong: false } } };
});
