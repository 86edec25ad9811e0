/**
 * Describes the form for a question: buttons, boxes to tick, or a line, each with the answer it stands for. Each says
 * what one would type.
 */
import { asksForFiles, type Interrupt } from "../../../runtime/index.ts";
import { cut, visibleLine } from "../../display/visible.ts";
import { answerForms, isTextual, leftToAsk, takesYes } from "../../read-answer.ts";

/** A button or a box: what stands on it, and what it says. */
interface FormChoice {
  readonly label: string;
  readonly answer: string;
}

export interface QuestionForm {
  readonly choices: readonly FormChoice[];
  /** Any number of these at once; what they say is JSON, and the answer their list. */
  readonly several: readonly FormChoice[];
  /** A line for a text, one for what is typed in a box below a cell, or none. */
  readonly line: "text" | "typed" | "none";
  /** Set if files are chosen or dropped, and sent. */
  readonly files: "none" | "one" | "several";
  /** The placeholder of an empty line. */
  readonly hint: string;
  /** The value to edit as JSON, where the answer may be another value; else empty. */
  readonly edited: string;
}

const NONE: QuestionForm = {
  choices: [],
  several: [],
  line: "none",
  files: "none",
  hint: "",
  edited: "",
};
const APPROVE = { label: "Approve", answer: "approve" };
const DENY = { label: "Deny", answer: "deny" };

export function questionForm(interrupt: Interrupt): QuestionForm {
  const form = formOfOne(interrupt);
  if (interrupt.among === undefined) return form;
  const choices = leftToAsk(interrupt).flatMap((name) =>
    form.choices.map(({ label, answer }) => ({
      label: cut(visibleLine(`${name}: ${label}`), LABEL_CHARACTERS),
      answer: `as ${name}: ${answer}`,
    })),
  );
  // An edited value is typed as a text, which names the person too.
  const typed =
    form.edited === "" ? {} : ({ line: "typed", hint: answerForms(interrupt) } as const);
  return { ...form, choices, edited: "", ...typed };
}

function formOfOne(interrupt: Interrupt): QuestionForm {
  const { kind, options, schema } = interrupt;
  if (kind === "doubt") return { ...NONE, choices: DOUBT, line: "typed", hint: "happened JSON" };
  if (kind === "limit") return { ...NONE, choices: [APPROVE, DENY] };
  const edited = takesYes(interrupt) ? editedText(interrupt) : "";
  if (options !== undefined) return { ...NONE, choices: options.map(choiceOf), edited };
  if (schema?.type === "boolean") return { ...NONE, choices: [true, false].map(choiceOf), edited };
  const hint = answerForms(interrupt);
  if (takesYes(interrupt))
    return { ...NONE, choices: [APPROVE, DENY], line: "typed", hint, edited };
  const files = asksForFiles(schema);
  if (files !== undefined) return { ...NONE, files };
  const several = severalOf(interrupt);
  if (several !== undefined) return { ...NONE, several: several.map(choiceOf) };
  return { ...NONE, line: isTextual(schema) ? "text" : "typed", hint };
}

const EDITED_CHARACTERS = 100_000;

/** Empty for what is too long to be edited in a page. */
function editedText({ shown }: Interrupt): string {
  const text = shown === undefined ? "" : JSON.stringify(shown, null, 2);
  return text.length > EDITED_CHARACTERS ? "" : text;
}

const DOUBT: readonly FormChoice[] = [
  { label: "Do it again", answer: "again" },
  { label: "Let it fail", answer: "fail" },
];

/** Returns the possible items of a list, if the schema enumerates them. */
function severalOf({ schema }: Interrupt): readonly unknown[] | undefined {
  const items: unknown = schema?.type === "array" ? schema.items : undefined;
  if (typeof items !== "object" || items === null || !("enum" in items)) return undefined;
  return Array.isArray(items.enum) ? items.enum : undefined;
}

const LABEL_CHARACTERS = 200;

function choiceOf(option: unknown): FormChoice {
  if (typeof option === "boolean") {
    return { label: option ? "Yes" : "No", answer: JSON.stringify(option) };
  }
  const answer = JSON.stringify(option);
  const label = typeof option === "string" ? option : answer;
  return { label: cut(visibleLine(label), LABEL_CHARACTERS), answer };
}
