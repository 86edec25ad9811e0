/** The ways of `debug-langgraph.js` by our engine: true where one comes to what a person wants. */
import { mermaid } from "../../../dsl/index.ts";
import { compile, Debugger, sql } from "../../../kernel/index.ts";

/** Three nodes in a row, each of which calls the outside; the first may be another version. */
function open({ isEdited = false } = {}) {
  const calls: string[] = [];
  const called = (name: string, text: string) => {
    calls.push(name);
    return text;
  };
  const scope = {
    write: isEdited ? () => called("write", "draft, edited") : () => called("write", "draft"),
    shout: (text: string) => called("shout", text.toUpperCase()),
    sign: (text: string) => called("sign", `${text}!`),
  };
  const program = `graph Note() returns text, steps {
    state {
      text:  string = ""
      steps: string[] = [] via append
    }
    run write_it = write(text) writes text { set steps = ["write"] }
    run shout_it = shout(text) writes text { set steps = ["shout"] }
    run sign_it = sign(text) writes text { set steps = ["sign"] }
    start -> write_it -> shout_it -> sign_it -> end
  }`;
  const { Note } = compile(program, { scope });
  if (Note === undefined) throw new Error("no graph");
  return { Note, calls };
}

/** A run that is over. */
async function over() {
  const opened = open();
  const run = opened.Note.run({});
  await run.output;
  return { ...opened, run };
}

/** A run that is held before its first step. */
function held() {
  const { Note, calls } = open();
  const run = Note.debug({});
  return { run, calls, debug: new Debugger(run) };
}

const ways: Readonly<Record<string, () => Promise<boolean>>> = {
  step: async () => {
    const { debug, calls } = held();
    await debug.stepOver();
    await debug.stepOver();
    return calls.join() === "write,shout";
  },
  breakpoint: async () => {
    const { debug, calls } = held();
    debug.setBreakpoint({ node: "sign_it" });
    await debug.continue();
    return calls.join() === "write,shout";
  },
  condition: async () => {
    const { debug, calls } = held();
    debug.setBreakpoint({ node: "sign_it", if: 'text == "DRAFT"' });
    await debug.continue();
    return calls.join() === "write,shout";
  },
  edit: async () => {
    const { run, debug } = held();
    debug.setBreakpoint({ node: "shout_it" });
    await debug.continue();
    await run.edit({ text: "other" });
    await debug.continue();
    return (await run.output).text === "OTHER!";
  },
  fork: async () => {
    const { run } = await over();
    return (await run.fork(1, { text: "other" }).output).text === "OTHER!";
  },
  rewind: async () => {
    const { debug, run, calls } = held();
    debug.setBreakpoint({ node: "sign_it", when: "after" });
    await debug.continue();
    await debug.rewind(2);
    debug.clearBreakpoints();
    await debug.continue();
    return (await run.output).text === "DRAFT!" && calls.join() === "write,shout,sign,sign";
  },
  blame: async () => {
    const { debug } = held();
    debug.setBreakpoint({ node: "sign_it", when: "after" });
    await debug.continue();
    return debug.blame("text").node === "sign_it";
  },
  replay: async () => {
    const { run, calls } = await over();
    const asked = calls.length;
    await run.replay();
    return calls.length === asked;
  },
  "run again after an edit": async () => {
    const { run } = await over();
    const edited = open({ isEdited: true });
    const again = (await edited.Note.rerun(run)).run();
    return (await again.output).text === "DRAFT, EDITED!" && edited.calls[0] === "write";
  },
  "run again, unchanged": async () => {
    const { run } = await over();
    const again = open();
    const { text } = await (await again.Note.rerun(run)).run().output;
    return text === "DRAFT!" && again.calls.length === 0;
  },
  sql: async () => {
    const { run } = await over();
    const rows = await sql`SELECT node, dur_us FROM node_runs WHERE run_id = ${run.id}`;
    return rows.length === 3;
  },
  difference: async () => {
    const { run } = await over();
    const other = run.fork(1, { text: "other" });
    await other.output;
    return run.diff(other).divergence !== undefined;
  },
  orders: async () => {
    const outputs = { write_it: "draft", shout_it: "DRAFT", sign_it: "DRAFT!" };
    return open().Note.explore({}, { outputs }).orders === 1;
  },
  test: async () => {
    const { run } = await over();
    return (await run.toTest({ name: "a note" })).includes('test "a note" of Note');
  },
  draw: async () => mermaid(open().Note.ir).includes("shout_it"),
};

const results: Record<string, boolean> = {};
for (const [name, way] of Object.entries(ways)) {
  results[name] = await way().catch((error) => {
    console.error(`${name}: ${error}`);
    return false;
  });
}
console.log(JSON.stringify(results));
process.exit();
