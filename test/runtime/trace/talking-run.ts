/** A run made by hand whose nodes write a conversation: messages are added, replaced and removed. */
import type { RecordBody } from "../../../runtime/records/records.ts";
import type { Patch } from "../../../runtime/state/patch.ts";
import { noUsage } from "../../../runtime/usage.ts";
import { activate, begin, metaOf, NOON, numbered, type SampleRun, searchIr } from "./sample.ts";

const asked = { id: "m-1", role: "user", content: "When can I fly?" };
const call = { id: "c1", tool: "flights.find", input: { to: "Oslo" } };
const calling = { id: "m-2", role: "assistant", name: "plan", content: "", toolCalls: [call] };
const found = { id: "m-3", role: "tool", content: "9:40", toolCallId: "c1" };
const reply = { id: "m-4", role: "assistant", name: "search", content: "At 9:40." };

/** `plan` calls a tool, `search` replies, and `report` makes that shorter and removes the call with its result. */
export function talkingRun(runId: string, start = NOON): SampleRun {
  const commit = (id: number, node: string, patches: readonly Patch[]) =>
    ({
      kind: "commit",
      step: id,
      id,
      node,
      attempt: 1,
      usage: noUsage,
      writes: [],
      ownWrites: 0,
      patches,
      flow: [activate(id + 1, id, 1)],
    }) as const;
  const add = (position: number, value: unknown): Patch => ({
    op: "add",
    path: ["talk", position],
    value,
  });
  const bodies: RecordBody[] = [
    {
      kind: "run",
      input: {},
      state: { talk: [asked] },
      flow: [activate(1, 0, 1)],
      writes: [],
      patches: [],
    },
    begin(1, "plan", "0", 1),
    commit(1, "plan", [add(1, calling), add(2, found)]),
    begin(2, "search", "1", 1),
    commit(2, "search", [add(3, reply)]),
    begin(3, "report", "2", 1),
    commit(3, "report", [
      { op: "replace", path: ["talk"], value: [asked, { ...reply, content: "9:40." }] },
    ]),
    { kind: "end", status: "succeeded", reason: "done", output: {}, patches: [] },
  ];
  const meta = metaOf(runId);
  const talk = {
    name: "talk",
    scope: "run",
    optional: false,
    type: { kind: "named", name: "Messages", args: [] },
    reducer: { name: "messages", custom: false, args: [] },
  } as const;
  const hash = "hash-2";
  const ir = {
    ...searchIr,
    hash,
    name: "Talk",
    source: { file: "talk.madrigal", text: "graph Talk() { … }" },
  };
  return {
    meta: { ...meta, graph: "Talk", graphHash: hash, ir: { ...ir, fields: [talk] } },
    records: numbered(bodies, start),
  };
}
