/** Reads what is written to a conversation: messages in many forms, each with an id, and removals of those that are there. */
import {
  type Ir,
  isMessagesType,
  type NodeIr,
  type ParamIr,
  type SpanIr,
} from "../../../dsl/index.ts";
import {
  type ConversationMessage,
  isRemoval,
  type MessageWrite,
  REMOVE_ALL,
} from "../../messages/message.ts";
import { withIds } from "../../messages/message-ids.ts";
import { type TextSpeaker, tryReadMessages } from "../../messages/read-messages.ts";
import { freezeJson } from "../../state/json.ts";
import type { ProgramField } from "../program/program.ts";
import { ValueMisfit } from "./evaluation-errors.ts";

/** A conversation as it is kept: a list, or a shared one. */
export interface ConversationView extends Iterable<ConversationMessage> {
  readonly length: number;
  at(index: number): ConversationMessage | undefined;
}

interface WrittenMessages {
  readonly field: string;
  readonly current: ConversationView;
  /** The place of the write in the run, the same in each replay of it. */
  readonly place: unknown;
  readonly speaker: TextSpeaker;
  /** The messages that are there do not stay. */
  readonly isReplacing: boolean;
  readonly span: SpanIr | undefined;
}

/** A text that a node writes is what it says itself where it is a model, else what a person says. */
export function speakerOfNode(node: NodeIr | undefined): TextSpeaker {
  const isModel = node?.kind === "agent" || node?.kind === "operator";
  return isModel ? { role: "assistant", name: node.name } : { role: "user" };
}

/** The argument of a parameter of the type `Messages`, read; any other one as it is. Throws M8690. */
export function readArgument(
  { types }: Pick<Ir, "types">,
  { name, type }: ParamIr,
  { value, span }: { readonly value: unknown; readonly span?: SpanIr | undefined },
): unknown {
  const isTalk = isMessagesType(type, { has: (known) => types.some((one) => one.name === known) });
  if (!isTalk || value === undefined || value === null) return value;
  const read = readOrFail(value, { field: name, speaker: { role: "user" }, span });
  return freezeJson(read.filter((write) => !isRemoval(write)));
}

/** The default of a conversation, its messages read and each with an id; that of any other field as it is. Throws M8690. */
export function readBeginning(
  { ir, reducer }: ProgramField,
  { value, span }: { readonly value: unknown; readonly span?: SpanIr | undefined },
): unknown {
  if (reducer.name !== "messages" || value === undefined || value === null) return value;
  const { name: field } = ir;
  const of = { field, current: [], place: ["default", field], speaker: { role: "user" } } as const;
  return readWritten(value, { ...of, isReplacing: true, span });
}

/** Throws M8690 where a value is no message, M8691 where a message to be removed is not there. */
export function readWritten(value: unknown, written: WrittenMessages): readonly MessageWrite[] {
  const { current, place, isReplacing } = written;
  const read = readOrFail(value, written);
  const known = isReplacing ? [] : current;
  const after = isReplacing ? undefined : current.at(current.length - 1)?.id;
  const writes = withIds(read, { place, after });
  assertRemovable(known, writes, written);
  return freezeJson(writes);
}

function readOrFail(
  value: unknown,
  { field, speaker, span }: Pick<WrittenMessages, "field" | "speaker" | "span">,
): readonly MessageWrite[] {
  const read = tryReadMessages(value, speaker);
  if ("writes" in read) return read.writes;
  throw new ValueMisfit(
    {
      class: "invalid",
      code: "M8690",
      message: `what \`${field}\` is given is no message: ${read.why}`,
      hint: 'write a text, `{ role: "user", content: "…" }`, a message of LangChain or the AI SDK, or a list of them',
    },
    span,
  );
}

function assertRemovable(
  known: Iterable<ConversationMessage>,
  writes: readonly MessageWrite[],
  { field, span }: WrittenMessages,
): void {
  if (!writes.some(isRemoval)) return;
  const ids = new Set([...known].map(({ id }) => id));
  for (const write of writes) {
    if (!isRemoval(write)) ids.add(write.id);
    else if (write.remove === REMOVE_ALL) ids.clear();
    else if (!ids.delete(write.remove))
      throw new ValueMisfit(
        {
          class: "invalid",
          code: "M8691",
          message: `\`${field}\` has no message \`${write.remove}\` that could be removed`,
          hint: 'remove by the `id` of a message that is there, or all of them by `{ remove: "all" }`',
        },
        span,
      );
  }
}
