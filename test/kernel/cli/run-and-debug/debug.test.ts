/** `madrigal debug`: the guide's chapter on debugging has a whole session; here is what goes wrong in one. */
import { expect, test } from "vitest";
import { startMadrigal } from "../../../support/child.ts";
import { said, workspace } from "../calling.ts";

const ship = `model m = "rules"
graph Ship(topic: string) returns notes, ok {
  state {
    notes: string[] = [] via append
    ok: boolean = false
  }
  graph go = Search(topic) writes notes
  human signoff { ask \`Ship \${notes}?\`; writes ok }
  start -> go -> signoff
}
graph Search(topic: string) returns found {
  state { found: string[] = [] via append }
  agent search { model m; prompt \`Search \${topic}.\`; writes found; tell read }
  agent read { model m; prompt \`Read \${found}.\`; writes found }
  start -> search -> read
}
`;

const lines = `
help
break go/red
break go/read if fund
on nothing
break go/read if found.length > 0
watch notes
breakpoints
continue
where
inbox
print fund
back 7
print found
state 9
set notes
fork 0 notes = ["mine"]
delete 1
delete all
bogus
continue
answer signoff-99 true
questions
blame notes[1]
blame topic
`;

/** Of the run as it lies on the disk then. */
const later = `
steps
list
frobnicate
run 1
back
c
answer signoff true
c
test shipped
`;

test("a session from a pipe says what is wrong with each line, goes on, and leaves the run on disk", async () => {
  const home = workspace({ "ship.madrigal": ship, lines });
  const text = await said(home, ["debug", "ship.madrigal", "Ship", "--input", '{"topic": "x"}'], {
    stdin: lines,
  });
  expect(text).toMatchSnapshot();
  const stored = await said(home, ["debug", "last"], { stdin: later });
  expect(stored).toMatchSnapshot();
});

test("a run that another process drives is not debugged meanwhile: it says by whom, and how to look at it", async () => {
  const home = workspace({
    "rest.ts": "export const rest = () => new Promise<string>(() => setInterval(() => {}, 1e6));\n",
    "rest.madrigal": `import { rest } from "./rest.ts"
graph Rest() returns a { state { a: string = "" }
 run wait = rest() writes a
 start -> wait -> end }`,
  });
  const first = startMadrigal(["run", "rest.madrigal"], { home });
  await first.said("wait#1 started");
  expect(await said(home, ["debug", "last"], { stdin: "step\n" })).toBe(`exit 1
! error[M5105]: run \`RUN\` is driven by OWNER ( since DATE)
!   hint: continue it there, or stop it there first; \`madrigal show RUN\` shows its status`);
  first.signal("SIGKILL");
  await first.ended;
  expect(await said(home, ["debug", "last"], { stdin: "quit\n" })).toMatch(
    /^exit 0\nrun RUN of Rest/,
  );
});
