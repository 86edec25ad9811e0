/** Two versions of a program at once: a run goes on with its own, new ones begin with the new one, and the old workers drain. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { Ingress } from "../../../runtime/restate/ingress.ts";
import type { RunStanding } from "../../../runtime/restate/messages.ts";
import { wireValues } from "../../../runtime/restate/wire-values.ts";
import { fileBlobs } from "../../../runtime/store/artifacts/file-blobs.ts";
import { startMadrigal, temporaryFolder } from "../../support/child.ts";
import { missing } from "../../support/python-env.ts";
import { startRestate } from "../../support/restate/server.ts";

const reason = await missing("restate");

const PROGRAM = `import { by } from "./tools.ts"
graph G(n: int) returns total {
  state {
    total: int = 0 via sum
    word: string = ""
  }
  human look { ask \`Go on?\`; writes word }
  run b = by(n) writes total
  start -> look -> b
}
`;

describe.skipIf(reason !== undefined)("two versions", () => {
  test("the run of the old one ends with the old TypeScript, and its worker ends with that", async () => {
    const server = await startRestate();
    onTestFinished(() => server.stop());
    const home = temporaryFolder();
    const blobs = join(home, "blobs");
    const ingress = new Ingress(server.ingress, wireValues(fileBlobs(blobs, Date)));
    const serve = async (name: string, factor: number) => {
      const folder = join(home, name);
      mkdirSync(folder);
      writeFileSync(join(folder, "g.madrigal"), PROGRAM);
      const tools = `export const by = (n: number): number => n * ${factor};\n`;
      writeFileSync(join(folder, "tools.ts"), tools);
      const at = ["--restate", server.ingress, "--admin", server.admin, "--blobs", blobs];
      const worker = startMadrigal(["worker", "g.madrigal", ...at, "--drain"], {
        home,
        cwd: folder,
      });
      await worker.said('"event":"serving"');
      return worker;
    };
    const start = (n: number) => ingress.once<RunStanding>("Graph-G/start", { input: { n } });
    const answered = async ({ runId }: RunStanding) => {
      for (;;) {
        const { interrupts } = await ingress.run<RunStanding>(runId, "status", null);
        const [asked] = interrupts as readonly { readonly id: string }[];
        if (asked === undefined) continue;
        const answer = { kind: "value", value: "yes" };
        await ingress.run(runId, "say", { verb: "answer", interrupt: asked.id, answer });
        return (await ingress.once<RunStanding>("Graph-G/output", runId)).output;
      }
    };
    const old = await serve("old", 10);
    const first = await start(1);
    const young = await serve("young", 100);
    const second = await start(1);
    expect(second.version).not.toBe(first.version);
    old.signal("SIGTERM");
    await old.said(`"event":"draining","runs":1`);
    expect(await answered(second)).toEqual({ total: 100 });
    expect(await answered(first)).toEqual({ total: 10 });
    expect((await old.ended).stdout).toContain('"event":"stopped"');
    young.signal("SIGTERM");
    expect((await young.ended).code).toBe(0);
  });
});
