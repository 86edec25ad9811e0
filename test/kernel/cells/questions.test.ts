/** What a run waits for is asked where a cell waits for the run. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { questionBundle } from "../../../kernel/cells/questions/question-bundle.ts";
import { type DrivenRun, Session } from "../../../runtime/index.ts";
import { type NotebookOptions, openTestNotebook, useTypes } from "./notebook.ts";
import { page } from "./widget-page.ts";

useTypes();

const MAIL = `graph Mail(to: string) returns sent {
  state { sent: string }
  run send = sent(to) writes sent { approve before }
  start -> send -> end
}`;

/** A notebook with a graph that asks before it sends, and a person who says these things, one after the other. */
async function mailing(
  person: NonNullable<NotebookOptions["person"]>,
  options: NotebookOptions = {},
) {
  const notebook = openTestNotebook(undefined, { person, ...options });
  await notebook.run("const sent = (to: string) => `sent to ${to}`;");
  await notebook.run(MAIL);
  return notebook;
}

function saying(...words: readonly (string | undefined)[]) {
  const prompts: string[] = [];
  const left = [...words];
  const person = async (prompt: string) => {
    prompts.push(prompt);
    return left.shift();
  };
  return { prompts, person };
}

/** Somebody who is asked, and says nothing until the question is taken back. */
function thinking() {
  const asked = Promise.withResolvers<AbortSignal>();
  const person = (_prompt: string, signal: AbortSignal) => {
    asked.resolve(signal);
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    signal.addEventListener("abort", () => resolve(undefined));
    return promise;
  };
  return { person, asked: asked.promise };
}

test("a cell that waits for a run asks the person, and goes on with the answer", async () => {
  const { person, prompts } = saying("approve");
  const notebook = await mailing(person);
  const said = await notebook.run('(await Mail.invoke({ to: "Ann" })).sent');
  expect(said).toContain("sent to Ann");
  expect(said).toContain("`send` asks: Start `send`?");
  expect(prompts).toEqual(["send: Start `send`? [approve | deny: REASON | edit JSON] "]);
});

test("in HTML, what a question has between backticks is code", async () => {
  const session = new Session({ store: "memory", env: {} });
  onTestFinished(() => session.close());
  const { Mail } = session.compile(MAIL, { scope: { sent: () => "sent" } });
  const run = Mail?.run({ to: "Ann" }) as DrivenRun;
  await run.settled();
  const [interrupt] = run.interrupts;
  if (interrupt === undefined) throw new Error("nothing is asked");
  const { data } = questionBundle({ run, interrupt, askedAt: 0 }, {});
  expect(data["text/html"]).toContain("<code>send</code> asks: Start <code>send</code>?");
});

test("W48 [NB] a node asks a person in the box below the cell, waits, and what was said goes back to the node that asked", async () => {
  const { prompts, person } = saying("in Oslo");
  const notebook = openTestNotebook(undefined, { person });
  await notebook.run("const greet = (place: string) => `hello ${place}`;");
  await notebook.run(`graph Ask() returns place, greeting {
  state { place: string  greeting: string }
  human where { ask \`Where are you?\`; writes place }
  run answer = greet(place) writes greeting
  start -> where -> answer -> end
}`);
  expect(await notebook.run("(await Ask.invoke({})).greeting")).toContain("hello in Oslo");
  expect(prompts.join("\n")).toContain("Where are you?");
});

const CONFIRM = `graph Confirm(plan: Plan) returns isRight {
  state { shown: Plan = plan  isRight: boolean }
  human confirm { ask \`Run this plan?\`; edits shown; writes isRight }
  start -> confirm -> end
}`;
const TWO_STEPS = {
  steps: [
    { id: "a", title: "Read", details: "the price" },
    { id: "b", title: "Say", details: "it", depends: ["a"] },
  ],
};

test("E51 [NB] the plan that a node asks about is listed with its steps in the box below the cell", async () => {
  const { prompts, person } = saying("approve");
  const notebook = openTestNotebook(undefined, { person });
  await notebook.run(CONFIRM);
  const run = `Confirm.invoke({ plan: ${JSON.stringify(TWO_STEPS)} })`;
  expect(await notebook.run(`(await ${run}).isRight`)).toContain("b  Say · after a");
  expect(prompts.join("\n")).toContain("Run this plan?");
});

test("E51 the plan that a node asks about is drawn, with a table of its steps", async () => {
  const session = new Session({ store: "memory", env: {} });
  onTestFinished(() => session.close());
  const run = session.compile(CONFIRM).Confirm?.run({ plan: TWO_STEPS }) as DrivenRun;
  await run.settled();
  const [interrupt] = run.interrupts;
  if (interrupt === undefined) throw new Error("nothing is asked");
  const { data } = questionBundle({ run, interrupt, askedAt: 0 }, {});
  expect(data["text/html"]).toContain("<title>Plan of 2 steps</title>");
  expect(data["text/html"]).toContain("after a");
});

test("what does not fit is told, and asked again", async () => {
  const { person, prompts } = saying("perhaps", "revise shorter", "approve");
  const notebook = await mailing(person);
  const said = await notebook.run('(await Mail.invoke({ to: "Ann" })).sent');
  expect(said).toContain("error[M7104]: `perhaps` is no JSON, and no answer to: Start `send`?");
  expect(said).toContain("error[M5311]: the answer to");
  expect(said).toContain("sent to Ann");
  expect(prompts).toHaveLength(3);
});

test("several that wait for one run are one question", async () => {
  const { person, prompts } = saying("approve");
  const notebook = await mailing(person);
  const said = await notebook.run(`const run = Mail.run({ to: "Ann" });
(await Promise.all([run.output, run.output])).map(({ sent }) => sent)`);
  expect(said).toContain("sent to Ann");
  expect(prompts).toHaveLength(1);
});

test("nobody answers: the cell is told what the run waits for, and the question stays open", async () => {
  const notebook = await mailing(saying(undefined).person);
  await notebook.run('const run = Mail.run({ to: "Ann" });');
  const said = await notebook.run("await run.output");
  expect(said).toContain("M5301");
  expect(await notebook.run("run.interrupts.length")).toBe("result 1");
});

test("a front end without input is not asked", async () => {
  const { person, prompts } = saying("approve");
  const notebook = await mailing(person);
  const said = await notebook.run('await Mail.invoke({ to: "Ann" })', { allowStdin: false });
  expect(said).toContain("M5301");
  expect(prompts).toEqual([]);
});

test("answered by `run.answer`, the question is closed where it was asked, and its late answer counts for nothing", async () => {
  const { person, asked } = thinking();
  const notebook = await mailing(person);
  await notebook.run('const run = Mail.run({ to: "Ann" });');
  const waiting = notebook.run("(await run.output).sent");
  const signal = await asked;
  expect(signal.aborted).toBe(false);
  const run = notebook.session.open("last");
  const [question] = run.interrupts;
  await run.answer(question?.id ?? "", { kind: "approve" });
  expect(signal.aborted).toBe(true);
  const said = await waiting;
  expect(said).toMatch(/\(`send` was answered `approve` by code at \d{4}-[^)]*\)/);
  expect(said).toContain("sent to Ann");
});

test("cancelling the cell takes the question back, and pauses the run", async () => {
  const { person, asked } = thinking();
  const notebook = await mailing(person);
  const cell = notebook.run('await Mail.invoke({ to: "Ann" })');
  const signal = await asked;
  notebook.cancel();
  expect(await cell).toContain("M7501");
  expect(signal.aborted).toBe(true);
});

const mail = 'const run = Mail.run({ to: "Ann" });';

test("a page without widgets gets none", async () => {
  const notebook = await mailing(saying().person, { isDrawing: true });
  await notebook.run(mail);
  await notebook.session.open("last").settled();
  expect(notebook.sent).toEqual([]);
});

test("where there are widgets, a question is one below the drawing, and is answered there", async () => {
  const notebook = await mailing(saying().person, { isDrawing: true });
  const { open, say, widget: question } = page(notebook);
  await open();
  await notebook.run(mail);
  const run = notebook.session.open("last");
  await notebook.saw(", asked at ");
  const { id, count, state } = question();
  expect(count).toBe(1);
  expect(state).toMatchObject({
    _model_module: "anywidget",
    _view_name: "AnyView",
    choices: [
      { label: "Approve", answer: "approve" },
      { label: "Deny", answer: "deny" },
    ],
    line: "typed",
    hint: "approve | deny: REASON | edit JSON",
    isOpen: true,
  });
  // One module: a page can import no other file of ours.
  expect(String(state._esm)).toMatch(/^export default /m);
  expect(String(state._esm)).not.toMatch(/^import /m);
  // What the notebook keeps has no widget in it, which would be an error without this kernel.
  const kept = notebook.shown();
  expect(kept).toMatch(/display \[text\/html\] `send` asks: Start `send`\?\nto: 'Ann'\n/);
  expect(kept).toMatch(
    /run \S+ of Mail, asked at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\n\(not answered when this was shown: await run\.answer\("send-\d+"/,
  );
  expect(kept).not.toContain("widget-view");
  await say(id, { method: "custom", content: { answer: "perhaps" } });
  expect(question().state).toMatchObject({ isOpen: true, fault: expect.stringMatching(/M7104/) });
  await say("control", { method: "request_states" });
  const told = notebook.sent.at(-1)?.packet.data;
  expect(told).toMatchObject({
    method: "update_states",
    states: { [id]: { model_name: "AnyModel", state: { isOpen: true } } },
  });
  await say(id, { method: "custom", content: { answer: "approve" } });
  expect((await run.output).sent).toBe("sent to Ann");
  expect(question().state).toMatchObject({ isOpen: false, fault: "" });
  expect(notebook.shown()).toMatch(
    /update \[text\/html\] `send` asks: Start `send`\?[^(]*\(answered `approve` by form at \S+ \S+ UTC\)/,
  );
});

test("a question that time closes says until when it is open, and what comes then, until it is answered", async () => {
  const { person } = saying("value 'Bob'");
  const notebook = openTestNotebook(undefined, { person, isDrawing: true });
  await page(notebook).open();
  await notebook.run(`graph Name(usual: string) returns name {
  state { name: string }
  human who { ask \`Who?\` within 2h else usual; writes name }
  start -> who -> end
}`);
  await notebook.run('const run = Name.run({ usual: "nobody" });');
  await notebook.saw(", asked at ");
  const expiry = /open until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC; then the answer is "nobody"/;
  // Above the form, which stands in the place of the last line.
  expect(notebook.shown()).toMatch(expiry);
  const run = notebook.session.open("last");
  await run.answer(run.interrupts[0]?.id ?? "", { kind: "value", value: "Bob" });
  await run.output;
  const ended = notebook.shown().split("update [text/html] `who` asks: Who?").at(-1);
  expect(ended).toContain('(answered `"Bob"` by code at ');
  expect(ended).not.toMatch(expiry);
});

test("in the box below a cell, too", async () => {
  const { person } = saying("Bob");
  const notebook = openTestNotebook(undefined, { person });
  await notebook.run(`graph Go() returns ok {
  state { ok: string = "" }
  human who { ask \`Who?\` within 2h; writes ok }
  start -> who -> end
}`);
  expect(await notebook.run("(await Go.run({}).output).ok")).toMatch(
    /`who` asks: Who\?\n\(open until \S+ \S+ UTC; then it is denied, and no arrow `on deny` leads on from `who`\)\n/,
  );
});

test("a question says who answered what: in the box, by code, a script; what was taken back says so", async () => {
  const said = async (code: string, words: readonly string[] = []) => {
    const notebook = await mailing(saying(...words).person, { isDrawing: true });
    await page(notebook).open();
    await notebook.run(mail);
    await notebook.saw(", asked at ");
    const shown = await notebook.run(code);
    return `${shown}\n${notebook.shown()}`;
  };
  expect(await said("await run.output", ["deny: too `dear`"])).toContain(
    "(answered `deny: too 'dear'` by box at ",
  );
  expect(
    await said('await run.answer(run.interrupts[0]!.id, { kind: "edit", value: ["Bob"] })'),
  ).toContain('(answered `edit ["Bob"]` by code at ');
  expect(await said("await run.abort()")).toMatch(
    /\(not asked any more since \S+ \S+ UTC: the run is aborted\)/,
  );
});

test("a run that had ended and goes on asks again", async () => {
  const notebook = await mailing(saying().person, { isDrawing: true });
  const { open, say, widget: question } = page(notebook);
  await open();
  await notebook.run(mail);
  const run = notebook.session.open("last");
  await notebook.saw(", asked at ");
  await run.abort();
  const resumed = notebook.run("await run.resume(); await run.settled();");
  await expect.poll(() => question("last").count).toBe(2);
  await resumed;
  await say(question("last").id, { method: "custom", content: { answer: "approve" } });
  expect((await run.output).sent).toBe("sent to Ann");
});

test("where a form says what is asked, the box is one line", async () => {
  const { person, prompts } = saying("approve");
  const notebook = await mailing(person, { isDrawing: true });
  await page(notebook).open();
  const shown = await notebook.run('await Mail.invoke({ to: "Ann" })');
  expect(prompts).toEqual(["send: Start `send`? [approve | deny: REASON | edit JSON] "]);
  expect(shown).toContain("display [text/html] `send` asks: Start `send`?");
  expect(shown).not.toContain("stdout `send` asks");
});

test("M13 the box below a cell takes the path of a file, and tells what is wrong with one", async () => {
  const folder = mkdtempSync(join(tmpdir(), "madrigal-box-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "my report.pdf"), "%PDF");
  const { person, prompts } = saying(folder, join(folder, "my report.pdf"));
  const notebook = openTestNotebook(undefined, { person });
  await notebook.run(`graph Upload() returns paper {
    state { paper: Artifact }
    human ask { ask "Which paper?"; writes paper }
    start -> ask -> end
  }`);
  const shown = await notebook.run("(await Upload.invoke({})).paper.name");
  expect(prompts[0]).toBe("ask: Which paper? [file PATH] ");
  expect(shown).toContain("error[M5317]");
  expect(shown).toContain("is a folder");
  expect(shown).toContain("'my report.pdf'");
});

test("a run whose answers are given asks nobody", async () => {
  const { person, prompts } = saying("approve");
  const notebook = await mailing(person, { isDrawing: true });
  await page(notebook).open();
  const shown = await notebook.run(
    'await Mail.run({ to: "Ann" }, { answers: { send: { kind: "approve" } } }).output',
  );
  expect(shown).toContain("sent to Ann");
  expect(shown).not.toContain("asks: Start");
  expect(prompts).toEqual([]);
});

const SIGN = `graph Sign() returns paid {
  state { paid: boolean = false }
  human sign { ask "Pay?" from ["lead", "security"]; writes paid }
  start -> sign -> end
}`;

test("a question to several persons has buttons for each of them, and then for those who are left", async () => {
  const notebook = openTestNotebook(undefined, { person: saying().person, isDrawing: true });
  const { open, say, widget: question } = page(notebook);
  await notebook.run(SIGN);
  await open();
  await notebook.run("const run = Sign.run({});");
  const run = notebook.session.open("last");
  await expect.poll(() => question("last").count).toBe(1);
  const { id, state } = question("last");
  expect(state.choices).toEqual([
    { label: "lead: Yes", answer: "as lead: true" },
    { label: "lead: No", answer: "as lead: false" },
    { label: "security: Yes", answer: "as security: true" },
    { label: "security: No", answer: "as security: false" },
  ]);
  await say(id, { method: "custom", content: { answer: "as security: true" } });
  await expect.poll(() => labels(question("last").state.choices)).toBe("lead: Yes lead: No");
  await say(id, { method: "custom", content: { answer: "as security: true" } });
  expect(question("last").state.fault).toContain("`security` has said yes already");
  await say(id, { method: "custom", content: { answer: "as lead: true" } });
  expect(await run.output).toEqual({ paid: true });
  expect(question("last").state).toMatchObject({ isOpen: false });
});

test("below a cell that waits, several persons answer one after the other, each by name", async () => {
  const { person, prompts } = saying("yes", "as security: yes", "as lead: yes");
  const notebook = openTestNotebook(undefined, { person });
  await notebook.run(SIGN);
  expect(await notebook.run("await Sign.invoke({})")).toContain("paid: true");
  expect(prompts).toEqual([
    "sign: Pay? [as lead | as security: true | false] ",
    "sign: Pay? [as lead | as security: true | false] ",
    "sign: Pay? [as lead: true | false] ",
  ]);
});

test("a question that needs some of its persons has buttons for those who are left, also behind a no", async () => {
  const notebook = openTestNotebook(undefined, { person: saying().person, isDrawing: true });
  const { open, say, widget: question } = page(notebook);
  await notebook.run(SIGN.replace('["lead", "security"]', '["lead", "security", "ops"] need 2'));
  await open();
  await notebook.run("const run = Sign.run({});");
  const run = notebook.session.open("last");
  await expect.poll(() => question("last").count).toBe(1);
  const { id } = question("last");
  await say(id, { method: "custom", content: { answer: "as security: false" } });
  await expect
    .poll(() => labels(question("last").state.choices))
    .toBe("lead: Yes lead: No ops: Yes ops: No");
  await say(id, { method: "custom", content: { answer: "as ops: true" } });
  await expect.poll(() => labels(question("last").state.choices)).toBe("lead: Yes lead: No");
  await say(id, { method: "custom", content: { answer: "as lead: true" } });
  expect(await run.output).toEqual({ paid: true });
});

test("below a cell that waits, it says how many of the persons must say yes", async () => {
  const { person, prompts } = saying("as security: yes", "as ops: no", "as lead: yes");
  const notebook = openTestNotebook(undefined, { person });
  await notebook.run(SIGN.replace('["lead", "security"]', '["lead", "security", "ops"] need 2'));
  expect(await notebook.run("await Sign.invoke({})")).toContain("paid: true");
  expect(prompts).toEqual([
    "sign: Pay? [2 of 3 must say yes; as lead | as security | as ops: true | false] ",
    "sign: Pay? [2 of 3 must say yes; as lead | as ops: true | false] ",
    "sign: Pay? [2 of 3 must say yes; as lead: true | false] ",
  ]);
});

const HELP = `graph Help() returns name, sure, colour, tags, login {
  state {
    name: string
    sure: boolean
    colour: "red" | "blue"
    tags: ("new" | "old")[]
    login: boolean
  }
  human confirm { ask "Sure?"; writes sure }
  human input { ask "Which name?"; writes name }
  human select { ask "Which colour?"; writes colour }
  human several { ask "Which tags?"; writes tags }
  human help { ask "Please log in to the shop; is it done?"; writes login }
  start -> confirm -> input -> select -> several -> help -> end
}`;
const HELPED = { sure: true, name: "42", colour: "blue", tags: ["new", "old"], login: true };

test("E77 [NB] confirm, input, select of one and of several, and help: each is a widget of its form, answered there", async () => {
  const notebook = openTestNotebook(undefined, { person: saying().person, isDrawing: true });
  const { open, say, widget: question } = page(notebook);
  await notebook.run(HELP);
  await open();
  await notebook.run("const run = Help.run({});");
  const run = notebook.session.open("last");
  const asked: unknown[] = [];
  const given = {
    confirm: "true",
    input: 'value "42"',
    select: '"blue"',
    several: 'value ["new","old"]',
    help: "true",
  };
  for (const answer of Object.values(given)) {
    await expect.poll(() => question("last").count).toBe(asked.length + 1);
    const { id, state } = question("last");
    const { choices, several, line, isOpen } = state;
    asked.push([choices, several].map((list) => labels(list)).concat(String(line)));
    expect(isOpen).toBe(true);
    await say(id, { method: "custom", content: { answer } });
    expect(question("last").state.fault).toBe("");
  }
  expect(asked).toEqual([
    ["Yes No", "", "none"],
    ["", "", "text"],
    ["red blue", "", "none"],
    ["", "new old", "none"],
    ["Yes No", "", "none"],
  ]);
  expect(await run.output).toEqual(HELPED);
});

function labels(list: unknown): string {
  return (list as readonly { readonly label: string }[]).map(({ label }) => label).join(" ");
}

const UPLOAD = `graph Upload() returns papers {
  state { papers: Artifact[] = [] }
  human ask { ask "Which papers?"; writes papers }
  start -> ask -> end
}`;

/** A page that shows the form of a question for files. */
async function uploading() {
  const notebook = openTestNotebook(undefined, { person: saying().person, isDrawing: true });
  const { open, say, widget: question } = page(notebook);
  await notebook.run(UPLOAD);
  await open();
  await notebook.run("const run = Upload.run({});");
  await expect.poll(() => question("last").count).toBe(1);
  const { id, state } = question("last");
  const send = async (content: object) => {
    await say(id, { method: "custom", content: { ask: "q", ...content } });
    const { packet } = notebook.sent.findLast(({ packet: one }) => one.commId === id) ?? {};
    const answer = packet?.kind === "message" ? packet.data : {};
    return (answer as { readonly content?: { readonly fault?: string } }).content?.fault;
  };
  const piece = (index: number, at: number, bytes: Uint8Array, upload = "u") => {
    const data = Buffer.from(bytes).toString("base64");
    return send({ piece: { upload, index, name: `../../${index}.txt`, at, data } });
  };
  return { run: notebook.session.open("last"), state, send, piece };
}

const bytes = (text: string) => new TextEncoder().encode(text);

test("M13 a form for files takes them in pieces, and answers with them", async () => {
  const { run, state, send, piece } = await uploading();
  expect(state).toMatchObject({ files: "several", line: "none", bytesMax: 25 * 1024 * 1024 });
  for (const given of [
    piece(0, 0, bytes("he")),
    piece(0, 2, bytes("llo")),
    piece(1, 0, bytes("x")),
  ])
    expect(await given).toBeUndefined();
  await send({ uploaded: { upload: "u", count: 2 } });
  const { papers } = (await run.output) as { readonly papers: readonly { readonly id: string }[] };
  expect(papers).toMatchObject([{ name: "0.txt", bytes: 5 }, { name: "1.txt" }]);
  expect(Buffer.from(run.artifact(papers[0]?.id ?? "")).toString()).toBe("hello");
});

test("a form refuses pieces that do not follow, an empty file and more than 25 MB, and can be sent again", async () => {
  const { run, send, piece } = await uploading();
  await piece(0, 0, bytes("he"));
  expect(await piece(0, 5, bytes("llo"))).toContain("error[M5317]");
  expect(await piece(0, 2, bytes("llo"), "other")).toContain("interrupted");
  expect(await send({ uploaded: { upload: "u", count: 2 } })).toContain("interrupted");
  await piece(0, 0, bytes(""));
  expect(await send({ uploaded: { upload: "u", count: 1 } })).toContain("`0.txt` is empty");
  const half = new Uint8Array(13 * 1024 * 1024);
  expect(await piece(0, 0, half)).toBeUndefined();
  expect(await piece(0, half.length, half)).toContain("larger than 25 MB");
  expect(run.interrupts).toHaveLength(1);
  await piece(0, 0, bytes("x"));
  await send({ uploaded: { upload: "u", count: 1 } });
  expect(await run.output).toMatchObject({ papers: [{ name: "0.txt", bytes: 1 }] });
});

test("E77 [SC] the same questions are answered by a script, by the names of their nodes", async () => {
  const notebook = openTestNotebook();
  await notebook.run(HELP);
  const { name, sure, colour, tags, login } = HELPED;
  const given = { input: name, confirm: sure, select: colour, several: tags, help: login };
  const said = await notebook.run(
    `JSON.stringify(await Help.invoke({}, { answers: ${JSON.stringify(given)} }))`,
  );
  expect(said).toContain(JSON.stringify({ name, sure, colour, tags, login }));
});

test("answered by a widget, the box of the cell that waits is closed; answered in the box, the widget is", async () => {
  const { person, asked } = thinking();
  const notebook = await mailing(person, { isDrawing: true });
  const { open, say, widget: question } = page(notebook);
  await open();
  const waiting = notebook.run('(await Mail.invoke({ to: "Ann" })).sent');
  const signal = await asked;
  await say(question().id, { method: "custom", content: { answer: "approve" } });
  expect(signal.aborted).toBe(true);
  expect(await waiting).toContain("sent to Ann");
  expect(question().state.isOpen).toBe(false);
  const other = await mailing(saying("approve").person, { isDrawing: true });
  const second = page(other);
  await second.open();
  await other.run('await Mail.invoke({ to: "Bob" })');
  expect(second.widget().state.isOpen).toBe(false);
});
