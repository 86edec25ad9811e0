/** Tests how `Magentic` carries a plan out: the ledger, its ends, other plans, people on the way, steps that look again. */
import { expect, test } from "vitest";
import { Debugger, people, type Run, tool } from "../../../runtime/index.ts";
import { gate } from "../driven-run.ts";
import { newSession } from "../scoped-run.ts";
import {
  askedOf,
  done,
  magentic,
  next,
  pathOf,
  planned,
  replan,
  replied,
  stateOf,
  step,
} from "./magentic-run.ts";

const look = step("look", "web_surfer");
const count = step("count", "coder_agent");
const own = (...steps: readonly object[]) => ({ given: { steps }, isAccepted: true });

test("M46 M50 [SM] task, plan, place in it, what was found, rounds and what was said stand in the state, where a debugger shows them", async () => {
  const run = magentic(own(look, count), {
    isDebugged: true,
    script: {
      track: [next("web_surfer"), done("300 euros", "coder_agent", "add it"), done("300")],
      web_surfer: ["It costs 300."],
      coder_agent: ["300"],
      finish: ["300."],
    },
  });
  const debug = new Debugger(run);
  debug.setBreakpoint({ node: "coder_agent" });
  await debug.continue();
  const state = debug.values("State");
  expect(state).toMatchObject({
    plan: { steps: [{ id: "look" }, { id: "count" }] },
    at: 1,
    replans: 0,
    found: [{ by: "web_surfer" }, { by: "orchestrator", text: "300 euros" }],
    ledger: { instruction: "add it" },
    talk: [{ role: "user", content: "Compare two phones" }],
  });
  const values = ["visits(track)", "task", "cooperative"].map((one) => debug.evaluate(one));
  expect(values).toEqual([2, "Compare two phones", true]);
  debug.clearBreakpoints();
  await debug.continue();
  expect(await run.output).toMatchObject({ answer: "300." });
});

test("M62 [SM] what the person said before is there when the plan is carried out, and at its end", async () => {
  const run = magentic(
    {},
    {
      script: {
        planner: [planned(look), planned(look)],
        track: [next("web_surfer"), done("300")],
        web_surfer: ["It costs 300."],
        finish: ["300."],
      },
      answers: people.script({ review: ["Not the red one!", "yes"] }),
    },
  );
  await run.output;
  for (const asked of askedOf(run, "track")) expect(asked).toContain("Not the red one!");
  expect(askedOf(run, "finish")[0]).toContain("Not the red one!");
});

test("M63 M127 [SM] a ledger that names nobody of the team is put right, with the names; the third try is taken", async () => {
  const run = magentic(own(look), {
    script: {
      track: [next("web_surfr"), next("surfer"), next("web_surfer"), done("300")],
      web_surfer: ["It costs 300."],
      finish: ["300."],
    },
  });
  expect(await run.output).toMatchObject({ answer: "300." });
  const [, second = "", third = ""] = askedOf(run, "track");
  for (const told of [second, third]) {
    expect(told).toContain('"web_surfer"');
    expect(told).toContain('"file_surfer"');
  }
  expect(pathOf(run)).toBe("look_up track web_surfer track finish");
});

test("M65 M129 [SM] the ledger is told the task, the plan, the place in it and the team; the first round asks nothing of what is done", async () => {
  const run = magentic(own(look, count), {
    script: {
      // It says at once that the step is done, and that the plan does not work: nothing has been done yet.
      track: [
        { ...done("", "web_surfer"), needsReplan: true },
        done("300", "coder_agent"),
        done("300"),
      ],
      web_surfer: ["It costs 300."],
      coder_agent: ["300"],
      finish: ["300."],
    },
  });
  await run.output;
  expect(pathOf(run)).toBe("look_up track web_surfer track coder_agent track finish");
  const [first = "", second = ""] = askedOf(run, "track");
  expect(first).toContain("Task: Compare two phones");
  expect(first).toContain(
    "We are at step 1 of 2, Title look: details of look (for web_surfer, done once).\nIt has not been begun.",
  );
  expect(second).toContain("We are at step 1 of 2");
  expect(second).toContain("It costs 300.");
});

test("M66 [SM] where the plan is made anew, nobody acts on the old one, however often it may be", async () => {
  const run = magentic(
    { ...own(look), cooperative: false, replansMax: 1000 },
    {
      script: {
        planner: [planned(count)],
        track: [
          next("web_surfer"),
          { ...replan("closed"), next: "web_surfer" },
          next("coder_agent"),
          done("1"),
        ],
        web_surfer: ["The shop is closed."],
        coder_agent: ["1"],
        finish: ["1."],
      },
    },
  );
  await run.output;
  expect(pathOf(run)).toBe("look_up track web_surfer track planner track coder_agent track finish");
});

test("M67 [SM] an agent is told its step, and the instruction of the ledger", async () => {
  const run = magentic(own(look), {
    script: {
      track: [next("web_surfer", "Open the shop."), done("300")],
      web_surfer: ["It costs 300."],
      finish: ["300."],
    },
  });
  await run.output;
  expect(askedOf(run, "web_surfer")[0]).toContain(
    "[user] Step 1: Title look\n\ndetails of look\n\nInstruction for web_surfer: Open the shop.",
  );
});

test.each([1, 2, 5])(
  "M68 M73 [SM] with %i rounds there are so many actions and no more, also where nobody has to act",
  async (roundsMax) => {
    const script = { track: Array.from({ length: 9 }, () => next("nobody")), finish: ["Nothing."] };
    const idle = magentic({ ...own(look), roundsMax }, { script });
    expect(await idle.output).toMatchObject({ why: "Max rounds reached." });
    const path = pathOf(idle).split(" ");
    // Each round is a step of the run, and none lies within another.
    expect(path.filter((node) => node === "track")).toHaveLength(roundsMax + 1);
    const busy = magentic(
      { ...own(look), roundsMax },
      {
        script: {
          track: Array.from({ length: 9 }, () => next("web_surfer")),
          web_surfer: Array.from({ length: 9 }, () => "Nothing."),
          finish: ["Nothing."],
        },
      },
    );
    await busy.output;
    expect(pathOf(busy).match(/web_surfer/g)).toHaveLength(roundsMax);
  },
);

test("M69 [SM] the answer is made of what was found, what was said and why it ended; a prompt of one's own has the task", async () => {
  const script = {
    track: [next("web_surfer"), done("300 euros")],
    web_surfer: ["It costs 300."],
    finish: ["300."],
  };
  const run = magentic(own(look), { script });
  expect(await run.output).toMatchObject({ answer: "300.", why: "Plan completed." });
  const [asked = ""] = askedOf(run, "finish");
  expect(asked).toContain("Compare two phones");
  expect(asked).toContain("300 euros");
  expect(asked).toContain("It ended because: Plan completed.");
  const short = magentic({ ...own(look), finalPrompt: "One word on {task}:" }, { script });
  await short.output;
  expect(askedOf(short, "finish")[0]).toContain("One word on Compare two phones:");
});

test("M71 [SM] a plan of four that fails at its third step keeps two with their ids; the planner has both, and the person reviews the new one", async () => {
  const steps = ["a", "b", "c", "d"].map((id) => step(id, "web_surfer"));
  const run = magentic(own(...steps), {
    script: {
      planner: [planned(step("a", "web_surfer")), planned(step("e", "file_surfer"))],
      track: [
        next("web_surfer"),
        done("A is 1", "web_surfer"),
        done("B is 2", "web_surfer"),
        replan("C is closed"),
        next("file_surfer"),
        done("E is 3"),
      ],
      web_surfer: ["1", "2", "closed"],
      file_surfer: ["3"],
      finish: ["6."],
    },
    answers: people.script({ review: [{ kind: "approve" }] }),
  });
  await run.output;
  expect(stateOf(run).plan).toMatchObject({
    version: 1,
    steps: [{ id: "a" }, { id: "b" }, { id: "e" }],
  });
  expect(pathOf(run)).toBe(
    "look_up track web_surfer track web_surfer track web_surfer track planner review track file_surfer track finish",
  );
  const [first = "", again = ""] = askedOf(run, "planner");
  expect(first).toContain(
    "these steps are done and stay; plan only what is left, with other ids: a, b.",
  );
  expect(first).toContain("It is planned anew: C is closed");
  expect(first).toContain("details of d");
  expect(again).toContain("two steps have the id `a`");
});

test("M72 [SM] it is planned anew after an obstacle, after a failure of an agent, and where the person wants it otherwise", async () => {
  const rest = { planner: [planned(count)], coder_agent: ["1"], finish: ["1."] };
  const path = "look_up track web_surfer track planner track coder_agent track finish";
  const again = [replan("closed"), next("coder_agent"), done("1")];
  const given = { ...own(look), cooperative: false };
  const obstacle = magentic(given, {
    script: { ...rest, track: [next("web_surfer"), ...again], web_surfer: ["Closed."] },
  });
  await obstacle.output;
  expect(pathOf(obstacle)).toBe(path);
  const failing = magentic(given, {
    script: { ...rest, track: [next("web_surfer"), ...again], web_surfer: [{ fails: "down" }] },
  });
  await failing.output;
  expect(pathOf(failing)).toBe("look_up track track planner track coder_agent track finish");
  expect(askedOf(failing, "track")[1]).toContain("It failed: down");

  const held = gate({ text: "a page" });
  const scope = {
    web: {
      read: tool(() => held.pass(), {
        effect: "none",
        description: "reads",
        input: { type: "object" },
      }),
    },
  };
  const steered = magentic(given, {
    scope,
    script: {
      ...rest,
      track: [next("web_surfer"), ...again],
      web_surfer: [{ calls: [{ tool: "web.read", input: { explanation: "look" } }] }, "Open."],
    },
  });
  await held.entered;
  await steered.steer("Use the calculator.", { to: "track" });
  held.open();
  await steered.output;
  expect(askedOf(steered, "track")[1]).toContain("Use the calculator.");
  // It is told to those who come later, too.
  expect(askedOf(steered, "track")[2]).toContain("Use the calculator.");
  expect(stateOf(steered).talk).toContainEqual(
    expect.objectContaining({ role: "user", content: "Use the calculator." }),
  );
});

test("M52 M74 [SM] paused in the middle, it hears the person and goes on with what was said", async () => {
  const held = gate({ text: "a page" });
  const scope = {
    web: {
      read: tool(() => held.pass(), {
        effect: "none",
        description: "reads",
        input: { type: "object" },
      }),
    },
  };
  const read = { calls: [{ tool: "web.read", input: { explanation: "look" } }] };
  const run = magentic(own(look), {
    scope,
    script: {
      track: [next("web_surfer"), done("300")],
      web_surfer: [read, read, "300"],
      finish: ["300."],
    },
  });
  await held.entered;
  await run.pause({ now: true });
  expect(run.status).toBe("paused");
  await run.steer("Only new phones.", { to: "track" });
  held.open();
  await run.resume();
  expect(await run.output).toMatchObject({ answer: "300." });
  expect(askedOf(run, "track")[1]).toContain("Only new phones.");
});

test("M75 M51 [SM] a follow-up in the same thread knows what was asked, answered and found, and begins with a plan of its own", async () => {
  const session = newSession();
  const of = { session, thread: "phones" };
  const first = magentic(own(look), {
    ...of,
    script: {
      track: [next("web_surfer"), done("300 euros")],
      web_surfer: ["It costs 300."],
      finish: ["The old one."],
    },
  });
  await first.output;
  const second = magentic(
    { task: "And why?" },
    { ...of, script: { planner: [replied("answer", "It costs 300.")] } },
  );
  expect(await second.output).toMatchObject({ answer: "It costs 300.", plan: { steps: [] } });
  const [asked = ""] = askedOf(second, "planner");
  for (const text of ["Compare two phones", "The old one.", "And why?"])
    expect(asked).toContain(text);
  expect(stateOf(second)).toMatchObject({ at: 0, replans: 0, found: [{}, { text: "300 euros" }] });
  const other = magentic(
    { task: "And why?" },
    { session, thread: "cars", script: { planner: [replied("answer", "What?")] } },
  );
  await other.output;
  expect(askedOf(other, "planner")[0]).not.toContain("The old one.");
});

test("M76 [SM] an autonomous run asks nobody on its way: the person is no member, and a dangerous call is denied", async () => {
  const code = tool(() => ({ exitCode: 0 }), {
    effect: "external",
    baseline: "always",
    description: "runs",
    input: { type: "object" },
  });
  const run = magentic(
    { ...own(count), autonomous: true },
    {
      scope: { code: { run: code } },
      answers: people.auto(),
      script: {
        track: [next("user"), next("coder_agent"), done("1")],
        coder_agent: [
          { calls: [{ tool: "code.run", input: { explanation: "try" } }] },
          "I may not.",
        ],
        finish: ["1."],
      },
    },
  );
  await run.output;
  const [first = "", second = ""] = askedOf(run, "track");
  expect(first).not.toContain("user: the person");
  expect(second).toContain("the next one is nobody of the team");
  expect(askedOf(run, "coder_agent")[1]).toContain("I don't know. Use your best judgment.");
  expect(pathOf(run)).toBe("look_up track coder_agent track finish");
});

test("M77 [SM] the sites are told to planner, ledger and agent, and a guard keeps the run to them", async () => {
  const visited: unknown[] = [];
  const visit = tool(
    ({ url }: { url: string }) => {
      visited.push(url);
      return "a page";
    },
    { effect: "external", baseline: "never", description: "visits", input: { type: "object" } },
  );
  const to = (url: string) => ({
    calls: [{ tool: "browser.visit", input: { url, explanation: "look" } }],
  });
  const run = magentic(
    { sites: ["shop.test"], cooperative: false },
    {
      scope: { browser: { visit } },
      config: { guard: { urls: { allow: ["shop.test"] } } },
      answers: people.auto(),
      script: {
        planner: [planned(look)],
        track: [next("web_surfer"), done("300")],
        web_surfer: [to("https://shop.test/a"), to("https://evil.test/a"), "300"],
        finish: ["300."],
      },
    },
  );
  await run.output;
  for (const node of ["planner", "track", "web_surfer"])
    expect(askedOf(run, node)[0]).toContain("Only these sites may be used: shop.test.");
  expect(visited).toEqual(["https://shop.test/a"]);
});

test("M78 [SM] it goes to its answer as soon as a text comes up, whatever is left of the plan", async () => {
  const run = magentic(
    { ...own(look, count), stopAt: "FOUND" },
    {
      script: {
        track: [next("web_surfer"), next("web_surfer")],
        web_surfer: ["FOUND: 300"],
        finish: ["300."],
      },
    },
  );
  expect(await run.output).toMatchObject({ why: 'It came to "FOUND".' });
  expect(pathOf(run)).toBe("look_up track web_surfer track finish");
});

const graphOf = (run: Run, label: string) => run.child(label)?.steps.map(({ node }) => node);

test("M90 M93 [SM] a step that is done three times is one step: each of its rounds is known to whoever comes after, and the plan goes on", async () => {
  const watch = step("watch", "web_surfer", { repeat: "3 times" });
  const run = magentic(own(watch, count), {
    script: {
      planner: [],
      watch: ["7 stars", "8 stars", "9 stars"],
      track: [next("web_surfer", "count the stars"), next("coder_agent"), done("24")],
      coder_agent: ["24"],
      finish: ["24."],
    },
  });
  await run.output;
  expect(pathOf(run)).toBe("look_up track watch track coder_agent track finish");
  expect(graphOf(run, "watch#1")).toEqual(["watch", "watch", "watch"]);
  expect(askedOf(run, "watch")[0]).toContain("Instruction for web_surfer: count the stars");
  expect(askedOf(run, "track")[1]).toContain("9 stars");
  expect(askedOf(run, "coder_agent")[0]).toContain("8 stars");
});

test("M86 M87 [FI] a look that fails three times leaves its step open, and the ledger decides", async () => {
  const watch = step("watch", "web_surfer", { repeat: "3 times" });
  const run = magentic(
    { ...own(watch), cooperative: false },
    {
      script: {
        planner: [planned(count)],
        watch: [],
        track: [next("web_surfer"), replan("it fails"), next("coder_agent"), done("1")],
        coder_agent: ["1"],
        finish: ["1."],
      },
    },
  );
  expect(await run.output).toMatchObject({ answer: "1." });
  expect(stateOf(run).plan).toMatchObject({ steps: [{ id: "count" }] });
});
