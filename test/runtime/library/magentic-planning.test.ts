/** Tests how `Magentic` plans: with a person, with a model, from memory, and what each is told. */
import { expect, test } from "vitest";
import { check } from "../../../dsl/index.ts";
import { type Answer, people, scripted, tool } from "../../../runtime/index.ts";
import { newSession } from "../scoped-run.ts";
import {
  askedOf,
  done,
  libraryGraph,
  magentic,
  next,
  pathOf,
  planned,
  replied,
  stateOf,
  step,
} from "./magentic-run.ts";

/** One step that is done at once. */
const short = {
  track: [next("web_surfer"), done("300")],
  web_surfer: ["It costs 300."],
  finish: ["300."],
};
const plan = planned(step("look", "web_surfer"));

test("M20 M23 [SM] the team is told by name and description; without a sandbox two members are missing, and no step is for them", async () => {
  const team = (given: object, agent: string) =>
    magentic(
      { cooperative: false, ...given },
      {
        script: { ...short, planner: [planned(step("look", agent)), plan] },
      },
    );
  const whole = team({}, "web_surfer");
  await whole.output;
  const lines = (text = "") => /Team:\n((?:\w+: .*\n)+)/.exec(text)?.[1]?.split("\n") ?? [];
  expect(lines(askedOf(whole, "planner")[0])).toEqual([
    "web_surfer: searches the web, reads pages and uses them in a browser",
    "coder_agent: writes code in Python, shell or JavaScript and runs it in a sandbox",
    "file_surfer: finds and reads files of this folder: texts, PDF, Word, Excel, slides",
    "mcp_agent: uses the tools of the server that this run was given",
    "user: the person: answers short questions, and does what nobody else can; the last resort",
    "",
  ]);
  expect(askedOf(whole, "track")[0]).toContain("\nnobody: the step needs no action of anybody\n");

  const less = team({ without: ["coder_agent", "file_surfer"], autonomous: true }, "coder_agent");
  await less.output;
  const [first = "", again = ""] = askedOf(less, "planner");
  expect(lines(first).map((line) => line.split(":")[0])).toEqual(["web_surfer", "mcp_agent", ""]);
  expect(again).toContain("a step is for nobody of the team");
});

test("M24 M57 M131 [SM] it answers what needs no plan, with the source; asks one question; or plans", async () => {
  const answered = magentic(
    {},
    { script: { planner: [replied("answer", "It was 1999.", "own knowledge")] } },
  );
  expect(await answered.output).toMatchObject({ answer: "It was 1999.", source: "own knowledge" });
  const asked = magentic(
    {},
    {
      script: {
        planner: [replied("question", "Which two?"), replied("question", "Which colour?")],
      },
      answers: { clarify: "The red ones." },
    },
  );
  expect(await asked.output).toMatchObject({ answer: "Which colour?" });
  expect(askedOf(asked, "planner")[1]).toContain("The red ones.");
  expect(pathOf(asked)).toBe("look_up planner clarify planner");
  const made = magentic({ cooperative: false }, { script: { ...short, planner: [plan] } });
  expect(await made.output).toMatchObject({ answer: "300.", why: "Plan completed." });
});

test("M54 [SM] the review is a question with the plan: it takes a text, a plan as JSON, yes and no", async () => {
  const run = magentic({}, { script: { ...short, planner: [plan, plan] } });
  await run.settled();
  const [question] = run.interrupts;
  expect(question).toMatchObject({ kind: "edit", node: "review" });
  expect(question?.shown).toMatchObject({ steps: plan.steps });
  expect(question?.editSchema).toMatchObject({ type: "object", required: ["steps"] });
  const id = question?.id ?? "";
  await expect(run.answer(id, { kind: "edit", value: "no plan" })).rejects.toMatchObject({
    code: "M5311",
  });
  await run.answer(id, { kind: "value", value: "Look twice." });
  await run.settled();
  expect(askedOf(run, "planner")[1]).toContain("Look twice.");
  await run.answer(run.interrupts[0]?.id ?? "", { kind: "approve" });
  expect(await run.output).toMatchObject({ answer: "300." });
});

const own = { steps: [step("own", "web_surfer")] };

test.each([
  [
    "the person's own plan, accepted, begins at once",
    { given: own, isAccepted: true },
    "look_up track",
  ],
  ["the person's own plan is reviewed", { given: own }, "look_up review track"],
  ["without a review it begins at once", { given: own, cooperative: false }, "look_up track"],
  ["without any plan a model plans", {}, "look_up planner review track"],
])("M55 [SM] %s", async (_, given, path) => {
  const run = magentic(given, {
    script: { ...short, planner: [plan] },
    answers: { review: { kind: "approve" } },
  });
  await run.output;
  expect(pathOf(run)).toBe(`${path} web_surfer track finish`);
  expect(askedOf(run, "planner")).toHaveLength(path.includes("planner") ? 1 : 0);
});

test("M56 M127 [SM] a plan for an agent that is not there goes back to the planner, who is told the names", async () => {
  const run = magentic(
    { cooperative: false },
    { script: { ...short, planner: [planned(step("look", "web_surfr")), plan] } },
  );
  await run.output;
  expect(askedOf(run, "planner")[1]).toContain("did you mean `web_surfer`?");
  expect(stateOf(run).plan).toMatchObject({ steps: [{ agent: "web_surfer" }] });
});

test("M127 [SM] a plan of a person for an agent that is not there is not taken: they are told, and asked again", async () => {
  const wrong = { steps: [step("own", "web_surfr")] };
  const run = magentic({}, { script: { ...short, planner: [plan] } });
  await run.settled();
  await run.answer(run.interrupts[0]?.id ?? "", { kind: "edit", value: wrong });
  await run.settled();
  expect(run.interrupts[0]?.question).toContain("did you mean `web_surfer`?");
  expect(run.interrupts[0]?.shown).toMatchObject({ steps: plan.steps });
  await run.answer(run.interrupts[0]?.id ?? "", { kind: "approve" });
  expect(await run.output).toMatchObject({ answer: "300." });
});

const yes: Answer = { kind: "approve" };

test.each([
  ["a yes", [yes]],
  ["a word", ["Sounds good"]],
  ["the word with spaces", [" accept plan "]],
  ["run", ["RUN"]],
])(
  "M52 M58 M59 [SM] accepted by %s, the plan is carried out; without a review nobody is asked",
  async (_, answers) => {
    const script = { ...short, planner: [plan] };
    const run = magentic({}, { script, answers: people.script({ review: answers }) });
    expect(await run.output).toMatchObject({ answer: "300." });
    expect(pathOf(run)).toContain("review track");
    const alone = magentic({ cooperative: false }, { script });
    await alone.output;
    expect(pathOf(alone)).not.toContain("review");
  },
);

test("M58 M128 [SM] a plan that is edited is shown again, and then accepted: the trace has both, and no model is asked again", async () => {
  const edited = { steps: [step("other", "file_surfer"), step("look", "web_surfer")] };
  const run = magentic(
    {},
    {
      script: {
        planner: [plan],
        track: [next("file_surfer"), done("a file", "web_surfer"), done("300")],
        file_surfer: ["a file"],
        web_surfer: ["It costs 300."],
        finish: ["300."],
      },
      answers: people.script({ review: [{ kind: "edit", value: edited }, yes] }),
    },
  );
  const shown: unknown[] = [];
  run.events$.subscribe((event) => {
    if (event.kind === "interrupt.opened") shown.push(event.shown);
  });
  expect(await run.output).toMatchObject({ plan: edited });
  expect(shown).toMatchObject([{ steps: plan.steps }, edited]);
  expect(askedOf(run, "planner")).toHaveLength(1);
});

test("M58 [SM] words lead to another plan as often as a person likes, and a no ends it without an action", async () => {
  const words = Array.from({ length: 5 }, (_, i) => `other ${i}`);
  const run = magentic(
    {},
    {
      script: { planner: Array.from({ length: 6 }, () => plan) },
      answers: people.script({
        review: [...words, { kind: "deny" }],
      }),
    },
  );
  expect(await run.output).toMatchObject({ answer: "The plan was cancelled.", found: [] });
  const asked = askedOf(run, "planner");
  expect(asked).toHaveLength(6);
  // Every word is there still: none replaces another.
  for (const word of words) expect(asked[5]).toContain(word);
});

test("M60 [TY] no model rewrites the task: what a planner says of it is not read, and no node can write it", async () => {
  const stray = { ...plan, task: "Buy both" };
  const run = magentic({ cooperative: false }, { script: { ...short, planner: [stray, plan] } });
  await run.output;
  expect(stateOf(run).plan).toMatchObject({ task: "Compare two phones" });
  expect(askedOf(run, "finish")[0]).toContain("Task: Compare two phones");
  const text = `model m = "rules"
graph G(task: string) { agent a { model m; prompt \`\${task}\`; writes task } start -> a -> end }`;
  expect(check({ file: "g", text }).diagnostics.map(({ code }) => code)).toContain("M3102");
});

test("M61 [SM] the web is read before it is planned: three pages at most, one that fails is left out; without a search it is planned all the same", async () => {
  const external = { effect: "none", description: "…", input: { type: "object" } } as const;
  const web = (hits: readonly string[] | undefined) => ({
    web: {
      search: tool(({ limit }: { limit: number }) => {
        if (hits === undefined) throw new Error("no engine");
        return { hits: hits.slice(0, limit).map((url) => ({ url })) };
      }, external),
      read: tool(({ url, length }: { url: string; length: number }) => {
        if (url === "b") throw new Error("404");
        return { text: `page ${url} of ${length}` };
      }, external),
    },
  });
  const start = (hits?: readonly string[]) =>
    magentic(
      { search: true, approval: "never" },
      { scope: web(hits), script: { planner: [replied("answer", "yes", "web")] } },
    );
  const run = start(["a", "b", "c", "d"]);
  await run.output;
  const [asked = ""] = askedOf(run, "planner");
  expect(asked).toContain("The web says:\npage a of 20000\n\npage c of 20000\n");
  expect(asked).not.toContain("page d");
  const blind = start();
  expect(await blind.output).toMatchObject({ answer: "yes" });
});

test("M61 [FI] a search that never ends, and pages that never come, are given up after their time, and it is planned all the same", async () => {
  const external = { effect: "none", description: "…", input: { type: "object" } } as const;
  const never = tool(() => new Promise<never>(() => undefined), external);
  const found = tool(() => ({ hits: [{ url: "a" }, { url: "b" }] }), external);
  for (const [node, web] of [
    ["search_web", { search: never }],
    ["open_page", { search: found, read: never }],
  ] as const) {
    const run = magentic(
      { search: true, approval: "never" },
      {
        scope: { web },
        script: { planner: [replied("answer", "yes")] },
        edit: (text) => {
          // The tool never answers: any time is too short for it.
          const own = new RegExp(`(?<=tool ${node}\\b[^}]*}\\)[^}]*limit )35s`);
          expect(text).toMatch(own);
          return text.replace(own, "20ms");
        },
      },
    );
    expect(await run.output).toMatchObject({ answer: "yes", source: "none" });
    expect(askedOf(run, "planner")[0]).not.toContain("The web says:");
  }
});

test("M100 M101 [DB] a learned plan is proposed; approved, it is a hint for the same task or taken without a model, of this user alone", async () => {
  const session = newSession();
  const learned = {
    task: "compare two phones",
    summary: "look",
    steps: [step("cheap", "web_surfer")],
  };
  const go = async (recalling: string, user = "ann", task = "Compare two phones") => {
    const script = { ...short, planner: [plan], learn: [learned] };
    const learns = recalling === "never";
    const run = magentic(
      { recalling, learns, task, cooperative: recalling === "reuse" },
      { session, user, script, answers: people.auto() },
    );
    await run.output;
    return run;
  };
  const first = await go("never");
  expect(pathOf(first).endsWith("finish learn")).toBe(true);
  const { memories } = session.stored;
  const proposed = memories.list({ state: "proposed" });
  expect(proposed.map(({ value }) => value)).toEqual([learned]);
  expect(askedOf(await go("hint"), "planner")[0]).not.toContain("cheap");

  memories.approve(proposed[0]?.id ?? "");
  expect(askedOf(await go("hint"), "planner")[0]).toContain(
    "A plan that worked for a similar task:",
  );
  const reused = await go("reuse");
  expect(pathOf(reused)).toBe("look_up review track web_surfer track finish");
  expect(stateOf(reused).plan).toMatchObject({ steps: [{ id: "cheap" }] });
  // Another user, and another task, have nothing of it.
  expect(pathOf(await go("reuse", "../bob"))).toContain("planner");
  expect(pathOf(await go("reuse", "ann", "Paint the door"))).toContain("planner");
  // A plan whose agent is not of this team is not taken.
  const script = { planner: [replied("answer", "Neither.")] };
  const without = { recalling: "reuse", without: ["web_surfer"], cooperative: false };
  const other = magentic(without, { session, user: "ann", script });
  expect(await other.output).toMatchObject({ answer: "Neither." });
});

test("M102 [SM] who learns is told to leave out the answer and to take the shortest way", async () => {
  const learned = { task: "t", summary: "", steps: [] };
  const run = magentic(
    { cooperative: false, learns: true },
    { script: { ...short, planner: [plan], learn: [learned] } },
  );
  await run.output;
  const [asked = ""] = askedOf(run, "learn");
  expect(asked).toContain("the shortest plan");
  expect(asked).toContain("Nothing of the answer itself");
});

test("M103 [FI] a plan that can't be learned loses no answer", async () => {
  const run = magentic(
    { cooperative: false, learns: true },
    { script: { ...short, planner: [plan], learn: [{ fails: "overloaded" }] } },
  );
  expect(await run.output).toMatchObject({ answer: "300." });
});

test("M42 [SM] the whole of it goes through without a person: by a script, by one rule, by a persona that has patience", async () => {
  const both = planned(step("ask", "user"), step("look", "web_surfer"));
  const script = {
    planner: [both, both, both],
    track: [next("user", "Which shop?"), done("a shop", "web_surfer"), done("300")],
    web_surfer: ["It costs 300."],
    finish: ["300."],
  };
  const scriptedRun = magentic(
    {},
    {
      script,
      answers: people.script({ review: ["cheaper", { kind: "approve" }], user: ["The old one."] }),
    },
  );
  expect(await scriptedRun.output).toMatchObject({ answer: "300." });
  const auto = magentic({}, { script, answers: people.auto() });
  expect(await auto.output).toMatchObject({
    found: [{ by: "user", text: "I don't know. Use your best judgment." }, {}, {}, {}],
  });
  const player = scripted({
    play: [
      { does: "say", text: "Look at a third." },
      { does: "say", text: "It costs 300." },
      { does: "say", text: "I forgot which." },
    ],
  });
  const persona = people.persona({
    graph: libraryGraph("persona", "Persona"),
    task: "Compare two phones",
    hints: "The old shop.",
    answer: "300",
    patience: 1,
    options: { models: { player } },
  });
  const run = magentic({}, { script, answers: persona });
  const output = await run.output;
  // After one round with the plan it accepts; what would tell the answer is said otherwise.
  expect(pathOf(run)).toBe(
    "look_up planner review planner review track user track web_surfer track finish",
  );
  expect(output).toMatchObject({ found: [{ by: "user", text: "I forgot which." }, {}, {}, {}] });
});

test("M41 [SM] the person is of the team, as its last resort, is asked the short question of the ledger, and heard by all who come after", async () => {
  const asked: string[] = [];
  const run = magentic(
    { cooperative: false },
    {
      script: {
        planner: [planned(step("ask", "user"), step("look", "web_surfer"))],
        track: [
          next("user", "Which shop?"),
          done("a shop", "web_surfer", "look there"),
          done("300"),
        ],
        web_surfer: ["It costs 300."],
        finish: ["300."],
      },
      answers: ({ question }) => {
        asked.push(question);
        return { kind: "value", value: "The old one." };
      },
    },
  );
  expect(await run.output).toMatchObject({ found: [{ by: "user" }, {}, {}, {}] });
  expect(askedOf(run, "planner")[0]).toMatch(/^user: .*the last resort$/m);
  expect(asked).toEqual(["Which shop?"]);
  const [before, ...after] = askedOf(run, "track");
  expect(before).not.toContain("The old one.");
  for (const text of [...after, ...askedOf(run, "finish")]) expect(text).toContain("The old one.");
});

test("M93 [SM] the planner is told that looks at one interval are one step; those at another are a second one, which looks by itself", async () => {
  const looks = (id: string, repeat: string) => step(id, "web_surfer", { repeat });
  const run = magentic(
    { cooperative: false },
    {
      script: {
        planner: [
          planned(looks("often", "every 1ms 3 times"), looks("seldom", "every 2ms 2 times")),
        ],
        often: ["7", "8", "9"],
        seldom: ["1", "2"],
        track: [next("web_surfer"), next("web_surfer")],
        finish: ["9 and 2."],
      },
    },
  );
  expect(await run.output).toMatchObject({ answer: "9 and 2.", why: "Plan completed." });
  expect(askedOf(run, "planner")[0]).toContain(
    "That is one step, however often it looks; other intervals are another one.",
  );
  const rounds = (label: string) => run.child(label)?.steps.map(({ node }) => node);
  expect([rounds("watch#1"), rounds("watch#2")]).toEqual([
    ["often", "often", "often"],
    ["seldom", "seldom"],
  ]);
});
