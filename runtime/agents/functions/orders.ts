/** Checks the command that a function returned, and turns it into orders for the scheduler. */
import { type Ir, type JsonSchema, type NodeIr, toJsonSchema } from "../../../dsl/index.ts";
import type { Command, CommandOptions, Orders, Send } from "../../command.ts";
import type { MessageMarks } from "../../envelope.ts";
import { FailureError } from "../../failure.ts";
import { type Attempt, type Decided, ordered, type PerformerContext } from "../../performer.ts";
import { describeMisfit, misfits } from "../../state/json-schema.ts";
import { listFor } from "../values/list-items.ts";

/**
 * Returns the result with which a node's performer answers a command of its function. `toJson`
 * removes what is not JSON, or throws.
 */
export async function ordersOf(
  command: Command,
  { name, attempt, toJson }: Returned,
  context: PerformerContext,
): Promise<Decided> {
  assertTogether(command, name);
  const { update, send, goto, finish, tell } = await ask(
    toJson({ ...command }) as CommandOptions,
    context,
  );
  const sends = send === undefined ? [] : [send].flat();
  const orders: Orders = {
    ...(update === undefined ? {} : { update: fitting(update, attempt, name) }),
    ...(goto === undefined ? {} : { goto: [goto].flat() }),
    ...(send === undefined ? {} : { send: sends }),
    ...(tell === undefined ? {} : { tell }),
    ...(finish === true ? { finish } : {}),
  };
  for (const one of sends) {
    assertArguments(one, attempt.ir, name);
    assertMarks(one, `what \`${name}\` sends to \`${one.to}\``);
    assertSaysSomething(one, name);
  }
  if (tell !== undefined) {
    assertMarks(tell, `what \`${name}\` tells`);
    assertTells(attempt.node, name);
  }
  return ordered(outputOf(attempt.node, orders), orders);
}

interface Returned {
  /** Of the function. */
  readonly name: string;
  readonly attempt: Attempt;
  readonly toJson: (value: unknown) => unknown;
}

/** Refuses `finish` together with `goto` or `send`: a run that ends sends nothing on. */
function assertTogether({ goto, send, finish }: CommandOptions, name: string): void {
  const others = [...(goto === undefined ? [] : ["goto"]), ...(send === undefined ? [] : ["send"])];
  if (finish !== true || others.length === 0) return;
  throw new FailureError({
    class: "tool",
    code: "M5206",
    message: `the command of \`${name}\` has both \`finish\` and \`${others[0]}\``,
    hint: "a run that ends goes nowhere: leave one of them out",
  });
}

/** Returns the writes, each value of its field's type; a list that grows may be given one item. */
function fitting(
  update: Readonly<Record<string, unknown>>,
  { ir, node }: Attempt,
  name: string,
): Readonly<Record<string, unknown>> {
  const entries = Object.entries(update).map(([field, value]) => {
    const write = node.writes.find((one) => one.field === field);
    const given = write === undefined ? value : listFor(write, value, ir.fields);
    const type = ir.fields.find((one) => one.name === field)?.type;
    const misfit = type === undefined ? undefined : misfitOf(given, type, ir);
    if (misfit !== undefined) throw unfit(`\`${field}\` in the update of \`${name}\``, misfit);
    return [field, given];
  });
  return Object.fromEntries(entries);
}

function assertArguments({ to, args = {} }: Send, ir: Ir, name: string): void {
  const params = ir.nodes.find((node) => node.name === to)?.params ?? [];
  for (const { name: param, type } of params) {
    const value = args[param];
    const misfit = value === undefined ? undefined : misfitOf(value, type, ir);
    if (misfit !== undefined)
      throw unfit(`\`${param}\` of \`${to}\`, to whom \`${name}\` sends,`, misfit);
  }
}

function assertMarks({ topic, priority }: MessageMarks, what: string): void {
  if (topic !== undefined && typeof topic !== "string")
    throw unfitMark(`the topic of ${what}`, topic, "give a text");
  if (priority !== undefined && !Number.isSafeInteger(priority))
    throw unfitMark(`the priority of ${what}`, priority, "give a whole number");
}

function unfitMark(what: string, value: unknown, hint: string): FailureError {
  const message = `${what} can't be \`${JSON.stringify(value)}\``;
  return new FailureError({ class: "tool", code: "M8304", message, hint });
}

/** Marks are those of a message. */
function assertSaysSomething({ to, task, payload, topic, priority }: Send, name: string): void {
  if ((topic ?? priority) === undefined || task !== undefined || payload !== undefined) return;
  throw new FailureError({
    class: "tool",
    code: "M5206",
    message: `what \`${name}\` sends to \`${to}\` has a topic or a priority, and says nothing`,
    hint: "give it a `task` or a `payload` too",
  });
}

function assertTells({ name: node, tell }: NodeIr, name: string): void {
  if (tell !== undefined) return;
  throw new FailureError({
    class: "tool",
    code: "M5206",
    message: `the command of \`${name}\` has \`tell\`, and \`${node}\` tells nobody`,
    hint: `write \`tell NODE\` at \`${node}\`, or leave it out`,
  });
}

function misfitOf(value: unknown, type: Ir["types"][number]["type"], ir: Ir): string | undefined {
  const types = new Map(ir.types.map((one) => [one.name, one.type]));
  const schema: JsonSchema | undefined = toJsonSchema(type, types).schema;
  const [misfit] = schema === undefined ? [] : misfits(value, schema);
  return misfit && describeMisfit(misfit);
}

function unfit(what: string, misfit: string): FailureError {
  return new FailureError({
    class: "tool",
    code: "M8304",
    message: `${what} does not fit: ${misfit}`,
    hint: "give a value of the declared type",
  });
}

/** Returns the output of the node: the value of its one field, else the whole update. */
function outputOf({ writes }: NodeIr, { update }: Orders): unknown {
  const [write] = writes;
  if (update === undefined) return null;
  return writes.length === 1 && write !== undefined ? (update[write.field] ?? null) : update;
}

// Asked when the function has returned: it is not called again, whatever is answered.
async function ask(command: CommandOptions, context: PerformerContext): Promise<CommandOptions> {
  const { interrupt, ...agreed } = command;
  if (interrupt === undefined) return agreed;
  const asked = typeof interrupt === "string" ? { question: interrupt } : interrupt;
  const shown = asked.shown ?? agreed.update;
  const answer = await context.ask({
    ask: "approval",
    question: asked.question,
    editSchema: { type: "object" },
    ...(shown === undefined ? {} : { shown }),
  });
  if (answer.kind === "approve") return agreed;
  if (answer.kind === "edit") {
    return { ...agreed, update: answer.value as Readonly<Record<string, unknown>> };
  }
  const why = answer.kind === "deny" && answer.reason !== undefined ? `: ${answer.reason}` : "";
  throw new FailureError({
    class: "denied",
    code: "M5313",
    message: `somebody said no to \`${asked.question}\`${why}`,
    hint: "an arrow `on deny` says where the run goes on then",
  });
}
