/** Reads messages that a person gives, with an error that says what can be given. */
import { RunError } from "../failure.ts";
import { type ConversationMessage, isRemoval } from "./message.ts";
import { tryReadMessages } from "./read-messages.ts";

/** The messages in our form, from any form that is read. Throws M8690. `what` is the subject of its message. */
export function readGivenMessages(given: unknown, what = "this"): readonly ConversationMessage[] {
  const read = tryReadMessages(given, { role: "user" });
  if ("why" in read) throw noMessage(what, read.why);
  return read.writes.map((write) => {
    if (!isRemoval(write)) return write;
    throw noMessage(what, `there is nothing here from which \`${write.remove}\` could be removed`);
  });
}

function noMessage(what: string, why: string): RunError {
  return new RunError("M8690", `${what} is no message: ${why}`, { hint: MESSAGE_HINT });
}

const MESSAGE_HINT =
  'give a text, `{ role: "user", content: "…" }`, a message of LangChain or the AI SDK, or a list of them';
