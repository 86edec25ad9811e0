/** Performs `human` nodes: asks a person, whose answer is the output of the node. */
import {
  holdsPlan,
  type JsonSchema,
  type NodeIr,
  planProblems,
  toJsonSchema,
} from "../../dsl/index.ts";
import { FailureError } from "../failure.ts";
import type { Answer, Question } from "../interrupt.ts";
import { type Attempt, edited, type Performer, type PerformerContext } from "../performer.ts";
import { filesIn } from "../questions/given-files.ts";
import { denied } from "../scheduler/attempts/approvals.ts";
import { type Whom, waitOf } from "../scheduler/attempts/escalations.ts";
import { misfits } from "../state/json-schema.ts";

export function createHumanPerformer(): Performer {
  return {
    perform: async (attempt, context) => {
      assertYesOrNo(attempt);
      const { current } = attempt;
      return current === undefined
        ? await ask(attempt, context)
        : await edit(attempt, context, current);
    },
  };
}

/** Several persons agree on a yes; what else each of them wrote would be lost. */
function assertYesOrNo({ node, among, then = [] }: Attempt): void {
  const isForSeveral = among !== undefined || then.some((next) => next.among !== undefined);
  if (!isForSeveral || node.output?.type === "boolean") return;
  throw new FailureError({
    class: "invalid",
    code: "M5311",
    message: `\`${node.name}\` asks several persons for something else than a yes or no`,
    hint: "write a boolean, or ask one person",
  });
}

// ── a question whose answer is the output ───────────────────────────────────────────────────────

async function ask(attempt: Attempt, context: PerformerContext): Promise<unknown> {
  const { node } = attempt;
  return await withFiles(saidBy(await context.ask(questionOf(attempt)), node), node, context);
}

/** Makes the files of an answer artifacts of the node run: their bytes are kept since they were given. */
async function withFiles(
  value: unknown,
  { output, name }: NodeIr,
  context: PerformerContext,
): Promise<unknown> {
  const artifacts = filesIn(value, output);
  if (artifacts.length === 0) return value;
  const perform = async () => ({ value: null, artifacts });
  await context.effect<null>({ effect: "function", name: `${name}.files`, perform });
  return value;
}

function questionOf(attempt: Attempt): Question {
  const { node, question = "" } = attempt;
  const options = optionsOf(node.output);
  return {
    ask: options === undefined ? "input" : "select",
    question,
    ...(node.output === undefined ? {} : { schema: node.output }),
    ...(options === undefined ? {} : { options }),
    ...whomIn(attempt),
    ...withinOf(attempt),
  };
}

function whomIn({ to, among, need }: Attempt): Whom {
  return {
    ...(to === undefined ? {} : { to }),
    ...(among === undefined ? {} : { among }),
    ...(need === undefined ? {} : { need }),
  };
}

/** Returns the time to wait for an answer, and the default after that time. */
function withinOf(attempt: Attempt): Pick<Question, "withinMs" | "then" | "default"> {
  const { node, then, otherwise } = attempt;
  if (node.ask?.withinMs === undefined) return {};
  return {
    ...waitOf(node.ask, whomIn(attempt), then),
    ...(otherwise === undefined ? {} : { default: otherwise }),
  };
}

/** Yes or no, or one of the texts and numbers of a union. */
function optionsOf(schema: JsonSchema | undefined): readonly unknown[] | undefined {
  if (schema === undefined) return undefined;
  if (schema.type === "boolean") return [true, false];
  if (Array.isArray(schema.enum)) return schema.enum;
  return "const" in schema ? [schema.const] : undefined;
}

function saidBy(answer: Answer, { name }: NodeIr): unknown {
  switch (answer.kind) {
    case "value":
    case "edit":
      return answer.value;
    case "deny":
      throw new FailureError(denied(`nobody answers what \`${name}\` asks`, answer));
    case "approve":
      return true;
    case "revise":
      return answer.text;
  }
}

// ── fields that a person edits ──────────────────────────────────────────────────────────────────

/**
 * Shows the fields as they are. What a person puts in their place is shown again, until they accept it: with a yes where
 * the node writes a boolean, else by approving. A node that writes nothing takes the first edit as it is. A plan that can't run
 * is not taken: they are told what is wrong with it.
 */
async function edit(
  attempt: Attempt,
  context: PerformerContext,
  before: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const { node } = attempt;
  let current = before;
  let fault: string | undefined;
  for (;;) {
    const answer = await context.ask(editQuestion(attempt, current, fault));
    if (answer.kind === "edit") {
      const next = editsIn(node, answer.value, current);
      fault = planFault(attempt, next);
      if (fault !== undefined) continue;
      current = next;
      if (node.writes.length > 0) continue;
      return edited(null, changedIn(before, current));
    }
    const output = answer.kind === "approve" ? accepted(node) : saidBy(answer, node);
    return edited(output, changedIn(before, current));
  }
}

/** Says what is wrong with a plan among the fields that are edited. */
function planFault(
  { ir, node }: Attempt,
  fields: Readonly<Record<string, unknown>>,
): string | undefined {
  const [problem] = node.edits
    .filter((name) => holdsPlan(ir, name))
    .flatMap((name) => planProblems(ir, fields[name]));
  return problem && `${problem.message} (${problem.hint})`;
}

function editQuestion(
  attempt: Attempt,
  current: Readonly<Record<string, unknown>>,
  fault: string | undefined,
): Question {
  const { node, question: asked = "" } = attempt;
  const question = fault === undefined ? asked : `That plan can't run: ${fault}. ${asked}`;
  const [only, ...others] = node.edits;
  const shown = only !== undefined && others.length === 0 ? current[only] : current;
  return {
    ask: "edit",
    question,
    shown,
    ...editSchemaOf(attempt),
    ...(node.output === undefined ? {} : { schema: node.output }),
    ...whomIn(attempt),
    ...withinOf(attempt),
  };
}

/** The type of the one field, or an object of several. */
function editSchemaOf({ node, ir }: Attempt): Pick<Question, "editSchema"> {
  const types = new Map(ir.types.map(({ name, type }) => [name, type]));
  const schemas = node.edits.flatMap((name) => {
    const field = ir.fields.find((one) => one.name === name);
    const { schema } = field === undefined ? {} : toJsonSchema(field.type, types);
    return schema === undefined ? [] : [[name, schema] as const];
  });
  const [only, ...others] = schemas;
  if (only === undefined) return {};
  if (node.edits.length === 1 && others.length === 0) return { editSchema: only[1] };
  const properties = Object.fromEntries(schemas);
  return { editSchema: { type: "object", properties, additionalProperties: false } };
}

/** One field's value as it is, of several an object with those that change. */
function editsIn(
  { edits }: NodeIr,
  value: unknown,
  current: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const [only, ...others] = edits;
  if (only !== undefined && others.length === 0) return { ...current, [only]: value };
  const given = typeof value === "object" && value !== null ? value : {};
  return {
    ...current,
    ...Object.fromEntries(Object.entries(given).filter(([name]) => edits.includes(name))),
  };
}

function changedIn(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => before[name] !== value),
  );
}

/** Returns the value that a plain yes writes. */
function accepted({ output }: NodeIr): unknown {
  if (output === undefined) return null;
  return misfits(true, output).length === 0 ? true : undefined;
}
