/** Plans as the XML of Eko's planner. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Plan, PlanNote, PlanStep } from "../../../dsl/index.ts";
import { plans } from "../../../runtime/index.ts";
import { detailsOf } from "../../../runtime/plans/plan-notes.ts";

const PRICES = `I compare two shops.
<root>
  <name>Compare prices</name>
  <thought>Both shops can be asked at once.</thought>
  <agents>
    <agent name="Browser" id="t1-00" dependsOn="">
      <task>Read the first shop</task>
      <nodes>
        <node>Open the shop</node>
        <forEach items="list">
          <node output="price">Read the price &amp; the name</node>
        </forEach>
      </nodes>
    </agent>
    <agent name="Browser" id="t1-01" dependsOn="">
      <task>Watch the second shop</task>
      <nodes>
        <watch event="dom" loop="true">
          <description>a price changes</description>
          <trigger>
            <node input="price" output="lower">Keep the lower one</node>
          </trigger>
        </watch>
      </nodes>
    </agent>
    <agent name="Chat" id="t1-02" dependsOn="t1-00, t1-01">
      <task>Say which shop is cheaper</task>
    </agent>
  </agents>
</root>`;

test("E40 Eko's XML is read: agents, what they wait for, nodes, forEach and watch", () => {
  expect(plans.read(PRICES)).toMatchSnapshot();
});

test("E40 what is read and written again is the same plan", () => {
  const { plan } = plans.read(PRICES);
  expect(plans.read(plans.write(plan as Plan, "eko")).plan).toEqual(plan);
});

test("E42 what the planner says before the XML begins its thought", () => {
  expect(plans.read(`<think>Two shops.</think>\n${PRICES}`).plan?.thought).toBe(
    "Two shops.\nI compare two shops.\nBoth shops can be asked at once.",
  );
});

test("E43 ids stay as the planner gave them, and a list of them is what an agent waits for", () => {
  const { plan } = plans.read(PRICES);
  expect(plan?.steps.map(({ id, depends }) => [id, depends])).toEqual([
    ["t1-00", undefined],
    ["t1-01", undefined],
    ["t1-02", ["t1-00", "t1-01"]],
  ]);
  expect(plans.levels(plan as Plan)).toEqual([["t1-00", "t1-01"], ["t1-02"]]);
});

const text = fc
  .string({ unit: "grapheme", maxLength: 12 })
  .map((value) => value.trim())
  .filter((value) => value !== "" && !/[\p{Cc}\p{Cn}\p{Cs}]/u.test(value));
const variable = fc.constantFrom("price", "file_content", "a b");
const plainNote = fc.record(
  { text, input: variable, output: variable },
  { requiredKeys: ["text"] },
);
const { note } = fc.letrec<{ note: PlanNote }>((tie) => ({
  note: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    plainNote,
    fc.record({ each: text, notes: fc.array(tie("note"), { maxLength: 2 }) }),
    fc.record(
      {
        watch: text,
        loop: fc.boolean(),
        description: text,
        notes: fc.array(tie("note"), { maxLength: 2 }),
      },
      { requiredKeys: ["watch", "description", "notes"] },
    ),
  ),
}));
const plan = fc
  .array(
    fc.record({ title: text, agent: text, notes: fc.array(note, { minLength: 1, maxLength: 3 }) }),
    {
      maxLength: 5,
    },
  )
  .chain((steps) =>
    fc.record({
      name: text,
      thought: text.filter((value) => !value.includes("<")),
      steps: fc.tuple(
        ...steps.map((step, at) =>
          fc.subarray([...steps.keys()].slice(0, at).map(String)).map(
            (depends): PlanStep => ({
              id: `${at}`,
              details: detailsOf(step.notes),
              ...(depends.length === 0 ? {} : { depends }),
              ...step,
            }),
          ),
        ),
      ),
    }),
  ) as fc.Arbitrary<Plan>;

/** One `forEach` alone is a repetition. */
function repeatedFor(step: PlanStep): PlanStep {
  const [only, ...others] = step.notes ?? [];
  if (only === undefined || !("each" in only) || others.length > 0) return step;
  if (only.notes.length === 0) return step;
  return { ...step, details: detailsOf(only.notes), repeat: `each of ${only.each}` };
}

test("E72 an agent with one forEach is done by the engine for each item; a variable is the step that writes it", () => {
  const agents = (items: string) =>
    `<root><agents><agent name="A" id="0"><task>Find</task><nodes><node output="prices">find them</node></nodes></agent><agent name="A" id="1" dependsOn="0"><task>Say</task><nodes><forEach items="${items}"><node>say it</node><node>twice</node></forEach></nodes></agent></agents></root>`;
  const repeat = (items: string) => plans.read(agents(items)).plan?.steps[1];
  expect(repeat("apples, pears")).toMatchObject({
    details: "1. say it\n2. twice",
    repeat: "each of apples, pears",
  });
  expect(repeat("$prices")?.repeat).toBe("each of 0");
  expect(repeat("prices")?.repeat).toBe("each of 0");
  const written = { steps: [{ id: "1", title: "Say", details: "it", repeat: "each of a, b" }] };
  expect(plans.read(plans.write(written, "eko")).plan?.steps[0]).toMatchObject(
    written.steps[0] ?? {},
  );
});

describe("any plan", () => {
  test("E40 survives being written and read", () => {
    fc.assert(
      fc.property(plan, (given) => {
        expect(plans.read(plans.write(given, "eko"), { format: "eko" }).plan).toEqual({
          ...given,
          steps: given.steps.map(repeatedFor),
        });
      }),
    );
  });

  test("E41 is read as far as it has come: never an error, never fewer steps, finished steps unchanged", () => {
    fc.assert(
      fc.property(plan, (given) => {
        const whole = plans.write(given, "eko");
        const { steps } = plans.readEkoSoFar(whole);
        let count = 0;
        for (let end = 0; end <= whole.length; end += 1) {
          const soFar = plans.readEkoSoFar(whole.slice(0, end)).steps;
          expect(soFar.length).toBeGreaterThanOrEqual(count);
          count = soFar.length;
          const finished = whole.slice(0, end).split("</agent>").length - 1;
          expect(soFar.slice(0, finished)).toEqual(steps.slice(0, finished));
        }
        expect(count).toBe(given.steps.length);
      }),
      { numRuns: 10 },
    );
  });
});

test("E41 a plan with a bare & and without its last tags is read so far", () => {
  const cut = PRICES.replace("&amp;", "&").slice(0, PRICES.indexOf("<watch"));
  expect(plans.readEkoSoFar(cut).steps.map(({ title }) => title)).toEqual([
    "Read the first shop",
    "Watch the second shop",
  ]);
  expect(plans.readEkoSoFar(cut).steps[0]?.details).toContain("the price & the name");
});
