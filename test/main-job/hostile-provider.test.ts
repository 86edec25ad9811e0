/** A provider that says back every key that it gets, wherever it can: the keys are nowhere afterwards. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import { expect, onTestFinished, test, vi } from "vitest";
import { fileOf } from "../kernel/notebook/cells.ts";
import { madrigal, temporaryFolder } from "../support/child.ts";
import { openAiResponses } from "../support/providers/openai-responses.ts";
import {
  protocolServer,
  type ServedRequest,
  type ServerMove,
} from "../support/providers/protocol-server.ts";
import { filesBelow, stored } from "./scene.ts";

vi.setConfig({ testTimeout: 120_000 });

/** In variables that no rule takes for those of keys, with values that look like nothing. */
const KEYS = { TEAM_ACCESS: "plain words, 7 of them", TEAM_DESK: "desk/four+five" };
const FORMS = Object.values(KEYS).flatMap((key) => [key, encodeURIComponent(key)]);

/** Echoes what came in the headers: in reasoning, text, arguments and an error that is mended, then in one that is not. */
function echo({ headers }: ServedRequest, index: number): ServerMove {
  const key = `${headers.authorization?.replace("Bearer ", "")} and ${headers["x-desk"]}`;
  const echoed = { "x-echo": encodeURIComponent(key) };
  switch (index % 4) {
    case 0:
      return {
        kind: "answer",
        answer: {
          reasoning: { text: `I saw ${key}.`, signature: `signed: ${key}` },
          text: `Your keys: ${key}.`,
          calls: [{ id: `call ${key}`, name: "look", input: { what: key } }],
        },
      };
    case 1:
      return { kind: "status", status: 500, message: `broke at ${key}`, headers: echoed };
    case 2:
      return { kind: "answer", answer: { text: `It was ${key}, ${encodeURIComponent(key)}.` } };
    default:
      return { kind: "status", status: 400, message: `never with ${key}`, headers: echoed };
  }
}

function program(url: string): string {
  return `import { look } from "./look.ts"

model m = "openai/gpt-5" {
  baseURL: "${url}/v1",
  keyVariable: "TEAM_ACCESS",
  headerVariables: { "x-desk": "TEAM_DESK" }
}

graph Ask(question: string) returns answer {
  state {
    note:   string
    answer: string
  }
  agent find { model m; tools look; prompt \`Find \${question}\`; writes note }
  agent reply { model m; prompt \`Answer \${question} by \${note}\`; writes answer }
  start -> find -> reply -> end
}
`;
}

const LOOK = `export function look(what: string): string {
  console.log("looking for", what);
  return what;
}
`;

/** A notebook that runs the same and prints all that it can get. */
function notebook(text: string): string {
  return fileOf(
    LOOK.replace("export ", ""),
    text.replace(/^import.*\n\n/, ""),
    `const run = Ask.run({ question: "all" });
for await (const event of run.stream("debug")) console.log(JSON.stringify(event));
await run.output.catch((error: unknown) => console.dir(error, { depth: 20 }));
run`,
    "await run.output;",
    "%%sql\nSELECT * FROM llm_calls",
  );
}

test("keys are in no log, trace, export, error or notebook after a provider said them back", async () => {
  const server = await protocolServer(openAiResponses, echo);
  onTestFinished(() => server.close());
  const home = temporaryFolder();
  const text = program(server.url);
  writeFileSync(join(home, "ask.madrigal"), text);
  writeFileSync(join(home, "look.ts"), LOOK);
  writeFileSync(join(home, "n.ipynb"), notebook(text));
  const said: string[] = [];
  const call = async (...args: readonly string[]) => {
    const { stdout, stderr, code } = await madrigal(args, { home, cwd: home, env: KEYS });
    said.push(stdout, stderr);
    return { code, stdout };
  };
  const run = await call("run", "ask.madrigal", "--input", '{"question":"all"}');
  expect(run.code).toBe(1);
  expect(server.requests).toHaveLength(4);
  expect(server.requests.map(({ headers }) => [headers.authorization, headers["x-desk"]])).toEqual(
    Array(4).fill([`Bearer ${KEYS.TEAM_ACCESS}`, KEYS.TEAM_DESK]),
  );
  await call("exec", "n.ipynb");
  expect(server.requests).toHaveLength(8);

  const { sql, session } = stored(home);
  await session.stored.archive("last", join(home, "run.zip"), { exact: true });
  const archive = unzipSync(readFileSync(join(home, "run.zip")));
  said.push(...Object.values(archive).map((file) => strFromU8(file, true)));
  await session.spans.export("last", join(home, "spans.json"), { content: true });
  for (const { runId } of session.store.list())
    said.push(JSON.stringify(session.store.read(runId)));
  const tables = await sql("SELECT DISTINCT table_name AS name FROM information_schema.tables");
  for (const { name } of tables) said.push(JSON.stringify(await sql(`SELECT * FROM "${name}"`)));
  const files = filesBelow(home).map((file) => readFileSync(file));
  for (const form of FORMS) {
    expect(said.filter((one) => one.includes(form))).toEqual([]);
    expect(files.filter((file) => file.includes(form))).toEqual([]);
  }
  // What is there instead says that all of it was looked at.
  expect(said.join("")).toContain("never with ⟦secret:TEAM_ACCESS⟧ and ⟦secret:TEAM_DESK⟧");
  const executed = readFileSync(join(home, ".madrigal/out/n.ipynb"), "utf8");
  expect(executed).toContain("Your keys: ⟦secret:TEAM_ACCESS⟧");
});
