import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { mermaid } from "../../../dsl/index.ts";
import { arbitraryGraph } from "../../support/arbitrary-graph.ts";
import { compiled } from "../report.ts";

function program(name: string): string {
  return readFileSync(new URL(`../programs/${name}.madrigal`, import.meta.url), "utf8");
}

test("A70 a graph is drawn as a flowchart, always the same", () => {
  expect(mermaid(compiled(program("1-deepsearch")))).toMatchInlineSnapshot(`
    "flowchart TD
      start(["start"])
      n_plan["agent <b>plan</b>"]
      n_write["agent <b>write</b>"]
      subgraph each_task["each task of tasks, 8 at once"]
        n_search["agent <b>search</b>(task)"]
      end
      finish(["end"])
      start --> n_plan
      n_plan --> n_search
      each_task --> n_write
      n_write --> finish
    "
  `);
  expect(mermaid(compiled(program("1-deepsearch")))).toBe(
    mermaid(compiled(program("1-deepsearch"))),
  );
});

test("A70 each kind of node has its shape, and arrows say when they are taken", () => {
  expect(mermaid(compiled(program("2-plan-code-review")))).toMatchInlineSnapshot(`
    "flowchart TD
      start(["start"])
      n_plan["agent <b>plan</b>"]
      n_code[["operator <b>code</b>"]]
      n_check("run <b>check</b>")
      n_critic[["operator <b>critic</b>"]]
      n_signoff[/"human <b>signoff</b>"/]
      finish(["end"])
      start --> n_plan
      n_plan --> n_code
      n_code --> n_check
      n_check --> n_critic
      n_critic -->|"review.verdict is &quot;ship&quot;"| n_signoff
      n_critic -->|"review.verdict is &quot;revise&quot;, max 3, set notes = [review.notes]"| n_code
      n_critic -->|"review.verdict is &quot;replan&quot;, max 1"| n_plan
      n_critic -->|"else"| n_signoff
      n_signoff -->|"shipIt"| finish
      n_signoff -->|"else, max 2"| n_code
    "
  `);
  expect(mermaid(compiled(program("4-state-routing")))).toMatchInlineSnapshot(`
    "flowchart TD
      start(["start"])
      n_boss{{"router <b>boss</b>"}}
      n_actor["agent <b>actor</b>"]
      n_planner["agent <b>planner</b>"]
      n_analyst["agent <b>analyst</b>"]
      finish(["end"])
      start --> n_boss
      n_boss -.-> n_actor
      n_boss -.-> n_planner
      n_boss -.-> n_analyst
      n_boss -.-> finish
      n_actor --> n_boss
      n_planner --> n_boss
      n_analyst -->|"status == &quot;in progress&quot;"| n_boss
      n_analyst -->|"else"| finish
    "
  `);
});

test("joins, inner eaches and failures are drawn", () => {
  expect(
    mermaid(
      compiled(`graph G(xs: string[]) { run a = f()
 run b = f()
 run c(x: string) = f(x)
 run d(x: string) = f(x)
 start -> [a, b] -> each x of xs parallel 2 on error skip { c(x) -> each y of [x] { d(y) } } -> end
 a -> end on error }`),
    ),
  ).toMatchInlineSnapshot(`
    "flowchart TD
      start(["start"])
      n_a("run <b>a</b>")
      n_b("run <b>b</b>")
      subgraph each_x["each x of xs, 2 at once, errors skipped"]
        n_c("run <b>c</b>(x)")
        subgraph each_y["each y of [x]"]
          n_d("run <b>d</b>(x)")
        end
      end
      join_a_b(("all"))
      finish(["end"])
      start --> n_a
      start --> n_b
      n_a --> join_a_b
      n_b --> join_a_b
      join_a_b --> n_c
      n_c --> n_d
      each_x --> finish
      n_a -->|"on error"| finish
    "
  `);
});

test("the arrows of a body stand in its frame", () => {
  expect(
    mermaid(
      compiled(`graph G(xs: string[]) { run c(x: string) = f(x)
 run d(x: string) = f(seen) { set seen = 1 }
 start -> each x of xs {
 state { seen: int = 0 }
 c(x) -> d(x)
 c | d -> c(x) max 2 on error } -> end }`),
    ),
  ).toMatchInlineSnapshot(`
    "flowchart TD
      start(["start"])
      subgraph each_x["each x of xs"]
        n_c("run <b>c</b>(x)")
        n_d("run <b>d</b>(x)")
      end
      finish(["end"])
      start --> n_c
      n_c --> n_d
      n_c -->|"on error, max 2"| n_c
      n_d -->|"on error, max 2"| n_c
      each_x --> finish
    "
  `);
});

test("every node of a random graph is drawn once, and every arrow leads between things that are drawn", () => {
  fc.assert(
    fc.property(arbitraryGraph({ runnable: false }), (text) => {
      const ir = compiled(text);
      const lines = mermaid(ir)
        .split("\n")
        .map((line) => line.trim());
      const drawn = lines
        .map((line) => line.match(/^(?:subgraph )?(\w+)[[({>]/)?.[1])
        .filter((id) => id !== undefined);
      const ends = lines.flatMap((line) => {
        const [, from, to] = line.match(/^(\w+) -[-.]*>(?:\|".*"\|)? (\w+)$/) ?? [];
        return [from, to].filter((id) => id !== undefined);
      });
      expect(new Set(drawn).size).toBe(drawn.length);
      expect(ir.nodes.every((node) => drawn.includes(`n_${node.name}`))).toBe(true);
      expect(ends.filter((id) => !drawn.includes(id))).toEqual([]);
    }),
    { numRuns: 50 },
  );
});
