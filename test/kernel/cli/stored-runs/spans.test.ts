/** `madrigal export --otlp`, `madrigal import` of spans, and `madrigal import --listen`. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { projectRoot } from "../../../support/child.ts";
import { madrigal } from "../../../support/warm/madrigal.ts";
import { document, said, workspace } from "../calling.ts";

const recorded = join(projectRoot, "test/runtime/trace/otlp/langgraph.jsonl");

test("spans of another program are imported and drawn; what needs a log says that there is none", async () => {
  const home = workspace();
  expect(await said(home, ["import", recorded])).toBe(
    "exit 0\n15 spans of 1 run: RUN\n`madrigal chart waterfall RUN` draws it",
  );
  const [run = ""] = (await documentOf(home)).runs;
  expect(await said(home, ["chart", "waterfall", run])).toMatch(
    /agent#1[\s\S]*model call scripted-1/,
  );
  expect(await said(home, ["resume", run.slice(0, 12)])).toContain("M5435");
  expect(await said(home, ["import", recorded, "--copy"])).toMatch(/^exit 2\n! error\[M7104\]/);
  writeFileSync(join(home, "none.json"), '{"resourceSpans":[]}');
  expect(await said(home, ["import", "none.json"])).toBe("exit 0\n0 spans of 0 runs");
  expect(await said(home, ["export", run, "--otlp", "ftp://HOST/x"])).toMatch(
    /^exit 1\n! error\[M5437\]: the file of spans `ftp:\/\/HOST\/x`: .*\n!\s+hint: .*http:\/\//,
  );
});

test("imported runs are listed and shown as such, and taken away like others", async () => {
  const home = workspace();
  const [run = ""] = (await documentOf(home)).runs;
  expect(await said(home, ["runs"])).toMatchSnapshot("runs");
  const shown = await said(home, ["show", run.slice(0, 12)]);
  expect(shown).toMatchSnapshot("show");
  expect(await said(home, ["show", "last"])).toBe(shown);
  const origin = "otlp:langgraph-weather";
  const { json } = await document(home, ["show", run]);
  expect(json).toMatchObject({ run_id: "RUN", origin, nodes: expect.any(Array) });
  const trial = ["runs", "prune", "--older-than", "1m", "--dry-run"];
  expect(await said(home, trial)).toContain("would delete RUN");
  expect(await said(home, ["runs", "delete", run.slice(0, 12)])).toBe("exit 0\ndeleted RUN");
  expect(await said(home, ["runs"])).toBe("exit 0\nno runs");
});

async function documentOf(home: string): Promise<{ readonly runs: readonly string[] }> {
  const { exit, json } = await document(home, ["import", recorded]);
  expect({ exit, json }).toMatchObject({
    exit: 0,
    json: { runs: ["RUN"], spans: 15, rejected: 0 },
  });
  const [trace = ""] = /(?<="traceId":")[^"]*/.exec(readFileSync(recorded, "utf8")) ?? [];
  return { runs: [trace.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")] };
}

test("a run is exported as spans to a program that listens, and is there with all that was said", async () => {
  const program = `graph G(name: string) returns name2 { state { name2: string = "" }\n human ask { ask \`Who is \${name}?\`; writes name2 }\n start -> ask -> end }`;
  const home = workspace({ "g.madrigal": program });
  const there = workspace();
  expect(await said(home, ["run", "g.madrigal", "--input", '{"name":"Ada"}'])).toContain("exit 3");
  const { url, end } = await listening(there);
  const { exit, json } = await document(home, ["export", "last", url, "--otlp", "--content"]);
  expect({ exit, json }).toMatchObject({
    exit: 0,
    json: { run_id: "RUN", to: `${url}/v1/traces`, content: true, rejected: 0 },
  });
  const elsewhere = ["export", "last", `${url}/v1/logs`, "--otlp"];
  expect(await said(home, elsewhere)).toMatch(/M5432.*404: spans are taken at \/v1\/traces/);
  expect(await end()).toMatch(/\d spans of 1 run/);
});

test("spans without a name go to a file that is called like the run, in the working folder", async () => {
  const program =
    'graph G() returns a {\n  state { a: string = "" }\n  human h { ask `Who?`; writes a }\n  start -> h -> end\n}\n';
  const home = workspace({ "g.madrigal": program });
  expect(await said(home, ["run", "g.madrigal"])).toContain("exit 3");
  const ended = await madrigal(["export", "last", "--otlp", "--json"], { home });
  const { run_id: id, to } = JSON.parse(ended.stdout);
  expect([ended.code, to]).toEqual([0, `${id}.otlp.json`]);
  expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(readFileSync(join(home, to), "utf8")).toContain('"resourceSpans"');
});

async function listening(home: string) {
  const launcher = join(projectRoot, "kernel", "madrigal.js");
  const child = spawn(process.execPath, [launcher, "import", "--listen", "0"], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, MADRIGAL_HOME: home },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  const end = async () => {
    child.kill("SIGINT");
    const [code] = await once(child, "exit");
    expect(code).toBe(0);
    return stderr;
  };
  return { url: line.replace("listening: ", "").replace("/v1/traces", ""), end };
}
