/** Lists the members of `context { … }`. */
import { type MemberFault, type MemberTable, memberFaults } from "./members.ts";

const OFFLOAD: MemberTable = {
  over: {
    rule: { kind: "number", min: 0 },
    takes: "a number of tokens",
    example: "over: 2k",
    about: "results of tools that are longer are shown shortened",
  },
  preview: {
    rule: { kind: "number", min: 0 },
    takes: "a number of tokens",
    example: "preview: 200",
    about: "the tokens of a shortened result that are shown",
  },
  except: {
    rule: { kind: "texts" },
    takes: "a list of names of tools",
    example: 'except: ["docs.read"]',
    about: "tools whose results are always shown whole",
  },
};

const SUMMARIZE: MemberTable = {
  at: {
    rule: { kind: "number", min: 1 },
    takes: "a number of tokens",
    example: "at: 40k",
    about: "the size of the conversation at which it is summarised",
  },
  every: {
    rule: { kind: "number", min: 1 },
    takes: "a number of turns",
    example: "every: 5",
    about: "the number of answers of the model after which it is summarised",
  },
  by: {
    rule: { kind: "text" },
    takes: "a model",
    example: "by: small",
    about: "the model that summarises",
  },
  schema: {
    rule: { kind: "schema" },
    takes: "a type of the file",
    example: "schema: Snapshot",
    about: "the type of the summary",
  },
};

/** The members of `context { … }`, in the order in which they are applied. */
export const CONTEXT_MEMBERS: MemberTable = {
  keep: {
    rule: { kind: "number", min: 0 },
    takes: "a number of turns",
    example: "keep: 10",
    about: "the turns of tool calls that are shown, from the first and the last",
  },
  media: {
    rule: { kind: "number", min: 0 },
    takes: "a number of files",
    example: "media: 1",
    about: "the images and files that are shown, from the last",
  },
  repeated: {
    rule: { kind: "number", min: 0 },
    takes: "a number of tokens",
    example: "repeated: 200",
    about: "results of tools that are longer and equal to an earlier one are not shown again",
  },
  offload: {
    rule: { kind: "object", members: OFFLOAD, number: "over", needs: ["over"] },
    takes: "a number of tokens, or an object",
    example: "offload: 2k",
    about:
      "results of tools that are longer are shown by their two ends; the agent can read the rest",
  },
  summarize: {
    rule: { kind: "object", members: SUMMARIZE, number: "at", needs: ["at", "every"] },
    takes: "a number of tokens, or an object",
    example: "summarize: 40k",
    about: "a model says in short what came before",
  },
  limit: {
    rule: { kind: "number", min: 1, isShare: true },
    takes: "a whole number of tokens, or a share above 0 and up to 1 of what the model can read",
    example: "limit: 110k",
    about: "the tokens that a call may show; the middle of the conversation is left out",
  },
  explain: {
    rule: { kind: "flag" },
    takes: "true or false",
    example: "explain: true",
    about:
      "the model says with each tool call why it makes it, and whether a person should approve it",
  },
};

/** Returns all that is wrong with the value of a `context`. */
export function contextFaults(value: unknown): readonly MemberFault[] {
  const example = "context { offload: 2k, keep: 10 }";
  return memberFaults(value, { name: "context", members: CONTEXT_MEMBERS, example });
}
