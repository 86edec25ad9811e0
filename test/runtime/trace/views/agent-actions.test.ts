/** What strong agents and agents of the program's own did, in one view. */
import { expect, onTestFinished, test } from "vitest";
import {
  createFileTools,
  Session,
  scripted,
  scriptedController,
} from "../../../../runtime/index.ts";
import { temporaryFolder } from "../../../support/child.ts";

const TEXT = `model m = "scripted"
graph Both(task: string) returns a, b {
  state {
    a: string
    b: string
  }
  operator strong { controller agent; prompt \`\${task}\`; writes a }
  agent own { model m; tools files.*; prompt \`\${task}\`; writes b }
  start -> strong -> own -> end
}`;

test("A12 which files each agent changed, and how long each tool took, is one question", async () => {
  const folder = temporaryFolder();
  const agent = scriptedController([
    {
      steps: [
        { tool: "Bash", input: { command: "ls" }, result: "a.ts" },
        {
          kind: "artifact_created",
          ...{ name: "a.ts", path: "src/a.ts", artifactKind: "patch", mime: "text/x-diff" },
          text: "--- a.ts\n+++ a.ts\n@@ -1 +1,2 @@\n-x\n+y\n+\n",
        },
        { tool: "Bash", input: { command: "npm test" }, error: "1 failed" },
      ],
      says: "done",
    },
  ]);
  const session = new Session({ store: "memory", env: { MADRIGAL_HOME: temporaryFolder() } });
  onTestFinished(() => session.close());
  const files = createFileTools({ root: folder });
  const graph = session.compile(TEXT, { scope: { agent, files } }).Both;
  const write = { tool: "files.write", input: { path: "b.txt", text: "one\ntwo\n" } };
  const m = scripted([{ calls: [write] }, "done"]);
  await graph?.run({ task: "it" }, { models: { m } }).output;
  const traces = await session.traces();
  const rows = await traces.query(
    "SELECT agent, controller, action, tool, path, added, removed, status, dur_us IS NOT NULL AS timed FROM agent_actions ORDER BY seq, action",
  );
  expect(rows.map((row) => Object.values(row).map(String).join(" "))).toEqual([
    "strong scripted call Bash null null null ok true",
    "strong scripted file null src/a.ts 2 1 ok false",
    "strong scripted call Bash null null null error true",
    "own null call files.write null null null ok true",
    "own null file null b.txt null null ok false",
  ]);
});
