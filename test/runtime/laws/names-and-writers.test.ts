/** L3 and L8: what the checker must see, held against what runs really do. */
import { expect, test } from "vitest";
import { check } from "../../../dsl/index.ts";
import { pathOf } from "../../../runtime/history/log-path.ts";
import { graphOf, ofKind, type Ran, runIr } from "../../support/run-graph.ts";
import { flowOf, isOrderSensitive } from "./laws.ts";
import { programOf } from "./schedules.ts";
import { scriptedWorld } from "./scripted-world.ts";

const PROGRAMS = 250;

/** Fields that random programs write with a reducer, and how they would be declared without. */
const FIELDS = {
  log: ["log:   string[] = [] via append", "log:   string[] = []"],
  total: ["total: int = 0 via sum", "total: int = 0"],
  tags: ["tags:  string[] = [] via union", "tags:  string[] = []"],
} as const;

test("L3 where two node runs that write a field were at work at once, the checker refuses that field without a reducer", () => {
  let refused = 0;
  for (let seed = 1; seed <= PROGRAMS; seed += 1) {
    const text = programOf(seed);
    const ran = runIr(graphOf(text), { ...scriptedWorld, seed, input: { n: 2 } });
    for (const [field, [merged, replaced]] of Object.entries(FIELDS)) {
      if (!areConcurrent(ran, field)) continue;
      refused += 1;
      const { diagnostics } = check({ file: "test", text: text.replace(merged, replaced) });
      expect(
        diagnostics.map(({ code }) => code),
        `${field}\n${text}`,
      ).toContain("M3301");
    }
  }
  console.log(`concurrent writers: ${refused} fields of ${PROGRAMS} random programs`);
  expect(refused).toBeGreaterThan(PROGRAMS / 10);
});

/** Whether two node runs of the graph itself that write the field were under way at the same time. */
function areConcurrent({ records, program }: Ran, field: string): boolean {
  const isWriter = (node: string) => {
    const ir = program.nodes[program.nodeNumbers.get(node) ?? -1]?.ir;
    // A write may bring a reducer of its own.
    const plain = [...(ir?.writes ?? []), ...(ir?.sets ?? [])].filter(
      ({ via }) => via === undefined,
    );
    return plain.some((write) => write.field === field);
  };
  const atWork = new Set<number>();
  for (const record of pathOf(records)) {
    if (record.kind === "start" && isWriter(record.node)) atWork.add(record.id);
    if (record.kind === "commit" || record.kind === "attempt") atWork.delete(record.id);
    for (const op of flowOf([record]))
      if (op.op === "cancel") for (const id of op.runs) atWork.delete(id);
    if (atWork.size > 1) return true;
  }
  return false;
}

test("L8 a name that is not behind the arrow is told to the node that chose it, and a right one leads to the same end", () => {
  let strayed = 0;
  for (let seed = 1; seed <= PROGRAMS; seed += 1) {
    const ir = graphOf(programOf(seed));
    const script = { ...scriptedWorld, seed, input: { n: 2 } };
    const [straight, stray] = [runIr(ir, script), runIr(ir, { ...script, strays: true })];
    const told = ofKind(stray.records, "attempt").filter(({ failure }) => failure.code === "M5204");
    if (told.length === 0) continue;
    strayed += 1;
    expect(told.map(({ failure, next }) => [failure.feedback?.slice(0, 10), next])).toEqual(
      told.map(() => ["Choose one", "repair"]),
    );
    // One more attempt takes its time.
    if (isOrderSensitive(ir)) continue;
    expect(stray.status).toBe(straight.status);
    if (straight.status === "succeeded") expect(stray.state).toEqual(straight.state);
  }
  expect(strayed).toBeGreaterThan(PROGRAMS / 25);
});
