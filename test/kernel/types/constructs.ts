/** Every place of the language where an expression stands, with one that fits and one that does not. */
export interface Parts {
  readonly top?: string;
  readonly state?: string;
  readonly item?: string;
  /** In the body of an agent. */
  readonly clause?: string;
  readonly flow?: string;
}

/** A program with these parts in it; without any it has no errors. */
export function program(parts: Parts): string {
  return `import { Status, Task, count, decide, decideNumber, decideWrong, findTasks, newest, notAController, pick, pickAny, pickEnd, robot, runTests } from "./functions.ts"
model smart = "openai/gpt-4o"
${parts.top ?? ""}
graph G(question: string, width: int = 4) returns report {
  state {
    report: string
    status: Status = "failed"
    passed: boolean = false
    notes:  string[] = [] via append
    plan:   Plan = { steps: [] }
    task:   Task = { query: "", priority: "low", tags: [], scores: {} }
    ${parts.state ?? ""}
  }
  ${parts.item ?? ""}
  agent write { model smart; prompt \`Answer \${question} \${notes} \${task}\`; writes report
    ${parts.clause ?? ""}
  }
  run check = runTests(report) writes passed
  limit 60 steps
  start -> write -> check
  ${parts.flow ?? 'check -> { passed && status == "failed" && plan.steps.length < width -> end, else -> write }'}
}
`;
}

/** What stands there rightly, what wrongly, and what is said of that. */
export type Row = readonly [what: string, right: Parts, wrong: Parts, errors: string];

const human = (clauses: string) => ({
  item: `human ask { ${clauses}; writes notes }`,
  flow: "check -> ask -> { passed -> end, else -> write }",
});
const operator = (clauses: string) => ({
  item: `operator do { ${clauses}; prompt \`Do \${report}\`; writes notes }`,
  flow: "check -> do -> { passed -> end, else -> write }",
});
const routed = (call: string, flow = "write | check") => ({
  item: `run route = ${call}\n  run again = runTests(report) writes passed`,
  flow: `check -> again -> route -> ${flow}`,
});
const called = (call: string) => ({
  top: "graph Inner(topic: string, deep: boolean = false) returns found { state { found: string }\n agent find { model smart; prompt `Find ${topic} ${deep}`; writes found }\n start -> find }",
  item: `graph inner = ${call}`,
  flow: "check -> inner -> { passed -> end, else -> write }",
});

export const ROWS: readonly Row[] = [
  [
    "W53 a prompt's hole",
    { clause: "system `${task.query}`" },
    { clause: "system `${task.qery}`" },
    "M2110 «qery» `Task` has no member `qery`",
  ],
  [
    "a question to a person",
    human("ask `Is ${task.query} right?`"),
    human("ask `Is ${runTests} right?`"),
    "M3506 «runTests» a value of `(patch: string) => boolean` can't be shown in a text",
  ],
  [
    "a condition after a node",
    { clause: "ensure runTests(report)" },
    { clause: "ensure pick(status)" },
    'M3505 «pick(status)» a condition is true or false, and this is `"write" | "check"`',
  ],
  [
    "an argument of a controller of the language",
    operator('controller claude_code(cwd: "." + question)'),
    operator("controller claude_code(cwd: width)"),
    "M3503 «width» `number` does not fit `string`",
  ],
  [
    "an argument of a controller of the scope",
    operator("controller robot({ name: question })"),
    operator("controller robot({ name: width })"),
    "M3503 «width» `number` does not fit `string`",
  ],
  [
    "a controller",
    operator("controller robot({ name: question })"),
    operator('controller notAController("x")'),
    "M3504 «notAController» this is called, and is no function",
  ],
  [
    "the address of an agent",
    operator("controller a2a(question)"),
    operator("controller a2a(width)"),
    "M3503 «width» `number` does not fit `string`",
  ],
  [
    "a session to go on with",
    operator("controller codex; session resume question"),
    operator("controller codex; session resume width"),
    "M3503 «width» `number` does not fit `string | null | undefined`",
  ],
  [
    "a tool call under approval",
    { clause: 'approve tool * when call.effect != "none" && call.risk == "high"' },
    { clause: 'approve tool * when call.effekt != "none"' },
    "M3502 «effekt» there is no `effekt` in `call`",
  ],
  [
    "an effect that there is not",
    { clause: 'approve tool * when call.effect == "external"' },
    { clause: 'approve tool * when call.effect == "extern"' },
    'M3514 «"extern"» `"none" | "workspace" | "external"` is never equal to `"extern"`',
  ],
  [
    "the words of a consent",
    { clause: "approve before `Write ${question}?`" },
    { clause: "approve before `Write ${pick}?`" },
    'M3506 «pick» a value of `(status: Status) => "write" | "check"` can\'t be shown in a text',
  ],
  [
    "the words of a consent to nodes",
    { item: "approve after write `Go on with ${report}?`" },
    { item: "approve after write `Go on with ${findTasks}?`" },
    "M3506 «findTasks» a value of `(question: string) => Promise<Task[]>` can't be shown in a text",
  ],
  [
    "a condition of a consent",
    { item: "approve after write when runTests(report)" },
    { item: "approve after write when pick(status)" },
    'M3505 «pick(status)» a condition is true or false, and this is `"write" | "check"`',
  ],
  [
    "a pause",
    { clause: 'every daily("09:00", "Europe/Paris") until runTests(report) max 3' },
    { clause: "every task until runTests(report) max 3" },
    "M3513 «task» a pause is a duration, and this is `Task`",
  ],
  [
    "a longest pause",
    { clause: "every 5s .. 1h until runTests(report) max 3" },
    { clause: "every 5s .. passed until runTests(report) max 3" },
    "M3513 «passed» a pause is a duration, and this is `boolean`",
  ],
  [
    "an end of waiting",
    { clause: "every 1h until runTests(report) max 3" },
    { clause: "every 1h until findTasks(report) max 3" },
    "M3505 «findTasks(report)» a condition is true or false, and this is `Promise<Task[]>`",
  ],
  [
    "a key of a cache",
    { clause: "cache 1d by task.query" },
    { clause: "cache 1d by task.qery" },
    "M2110 «qery» `Task` has no member `qery`",
  ],
  [
    "a context",
    { clause: "context { offload: width }" },
    { clause: "context { offload: task.size }" },
    "M2110 «size» `Task` has no member `size`",
  ],
  [
    "a skill",
    { clause: "skills question" },
    { clause: "skills task.skill" },
    "M2110 «skill» `Task` has no member `skill`",
  ],
  [
    "a memory's key",
    {
      item: "memory plans: { task: string, steps: string[] } by task.length",
      clause: "recall plans top 3 by question; store { task: question, steps: notes } into plans",
    },
    {
      item: "memory plans: { task: string, steps: string[] } by task.size",
      clause: "recall plans top 3 by question; store { task: question, steps: notes } into plans",
    },
    "M2110 «size» `string` has no member `size`",
  ],
  [
    "the key of a memory of a named type",
    { item: "memory plans: Task by query.length", clause: "recall plans" },
    { item: "memory plans: Task by query.size", clause: "recall plans" },
    "M2110 «size» `string` has no member `size`",
  ],
  [
    "what is recalled",
    {
      item: "memory plans: { goal: string }",
      clause: "recall plans top 3 by task.query; system `${plans.map(one => one.goal)}`",
    },
    {
      item: "memory plans: { goal: string }",
      clause: "recall plans top 3 by task.qery; system `${plans.map(one => one.goal)}`",
    },
    "M2110 «qery» `Task` has no member `qery`",
  ],
  [
    "what is stored",
    { item: "memory plans: { goal: string }", clause: "store { goal: question } into plans" },
    { item: "memory plans: { goal: string }", clause: "store { goal: pickAny } into plans" },
    "M3508 «pickAny» `(status: Status) => string` does not fit `string`",
  ],
  [
    "an end of the run",
    { item: "end when runTests(report)" },
    { item: "end when pick(status)" },
    'M3505 «pick(status)» a condition is true or false, and this is `"write" | "check"`',
  ],
  [
    "a stop",
    { item: "break before check when runTests(report)" },
    { item: "break before check when pick(status)" },
    'M3505 «pick(status)» a condition is true or false, and this is `"write" | "check"`',
  ],
  [
    "S21 a status is one of its names",
    { clause: 'set status = "completed"' },
    { clause: "set status = pick(status)" },
    'M3508 «pick(status)» `"write" | "check"` does not fit `Status`',
  ],
  [
    "an update on an arrow",
    { flow: "check -> { passed -> end, else -> write set task = task }" },
    { flow: "check -> { passed -> end, else -> write set task = pick(status) }" },
    "M3508 «pick(status)» `string` does not fit `Task`",
  ],
  [
    "A65 a setting",
    { top: 'config { retries: 2, name: "x" }', clause: "system `${retries + 1} ${name}`" },
    { top: 'config { retries: 2, name: "x" }', clause: "ensure retries" },
    "M3505 «retries» a condition is true or false, and this is `number`",
  ],
  [
    "a setting that a run may change",
    { top: 'config { mode: "fast" }', clause: 'ensure mode == "slow"' },
    { top: 'config { mode: "fast" }', clause: "ensure mode == 3" },
    "M3514 «3» `string` is never equal to `number`",
  ],
  [
    "options of a model",
    { top: 'model fast = "openai/gpt-4o-mini" { temperature: 0.2 }', clause: "context fast" },
    { top: "model fast = 3 { temperature: 0.2 }", clause: "context fast" },
    "M3503 «3» `number` does not fit `string | object`",
  ],
  [
    "a server",
    { top: 'mcp browser = "npx browser" { trustAnnotations: true }', clause: "tools browser.*" },
    { top: "mcp browser = 3", clause: "tools browser.*" },
    "M3503 «3» `number` does not fit `string | object`",
  ],
  [
    "the inbox",
    { clause: "system `${inbox.length} ${inbox.map(one => one.sender)}`" },
    { clause: "system `${inbox.count}`" },
    "M3502 «count» there is no `count` in `Message[]`",
  ],
  [
    "the team",
    { clause: "system `${team.map(one => one.description)}`" },
    { clause: "system `${team.map(one => one.role)}`" },
    "M3502 «role» there is no `role` in `Member`",
  ],
  [
    "the run",
    { clause: "ensure run.cost < 2 && run.steps < 5" },
    { clause: "ensure run.price < 2" },
    "M3502 «price» there is no `price` in `run`",
  ],
  [
    "the artifacts",
    { clause: "system `${artifacts.map(one => one.path)}`" },
    { clause: "system `${artifacts.lenght}`" },
    "M3502 «lenght» there is no `lenght` in `Artifact[]`",
  ],
  [
    "a built-in plan",
    { clause: "system `${plan.steps.map(step => step.title)}`" },
    { clause: "system `${plan.steps.map(step => step.name)}`" },
    "M2110 «name» `Step` has no member `name`",
  ],
  [
    "a private value",
    { state: 'secret: Private<string> = ""', clause: "system `${secret.length}`" },
    { state: 'secret: Private<string> = ""', clause: "system `${secret.size}`" },
    "M2110 «size» `Private<string>` has no member `size`",
  ],
  [
    "A67 a router's function returns one of the names behind the arrow",
    routed("pick(status)"),
    routed("pickAny(status)"),
    'M3512 «pickAny» `string` is none of the names behind the arrow: `"write" | "check"`',
  ],
  [
    "A67 a router's function with one name too many",
    routed("pick(status)"),
    routed("pickEnd(status)"),
    'M3512 «pickEnd» `"write" | "end"` is none of the names behind the arrow: `"write" | "check"`',
  ],
  [
    "A67 a router's function that may end",
    routed("pickEnd(status)", "write | end"),
    routed("pickEnd(status)", "check | end"),
    'M3512 «pickEnd» `"write" | "end"` is none of the names behind the arrow: `"check" | "end"`',
  ],
  [
    "M127 a command's `goto` names what stands behind the arrow",
    {
      item: "run choose = decide(report) writes report",
      flow: "check -> choose -> { passed -> end, else -> check }",
    },
    {
      item: "run choose = decideWrong(report) writes report",
      flow: "check -> choose -> { passed -> end, else -> check }",
    },
    'M3512 «decideWrong» `"chekc"` is none of the names behind the arrow: `"check" | "end"`',
  ],
  [
    "a command's update",
    {
      item: "run choose = decide(report) writes report",
      flow: "check -> choose -> { passed -> end, else -> check }",
    },
    {
      item: "run choose = decideNumber() writes report",
      flow: "check -> choose -> { passed -> end, else -> check }",
    },
    "M3508 «report» `number` does not fit `string`",
  ],
  [
    "an argument of a graph",
    called("Inner(question, deep: passed) writes report"),
    called("Inner(question, deep: pick(status)) writes report"),
    'M3503 «pick(status)» `"write" | "check"` does not fit `boolean | undefined`',
  ],
  [
    "what a graph gives back",
    called("Inner(question) writes report"),
    called("Inner(question) writes status"),
    "M3508 «status» `string` does not fit `Status`",
  ],
  [
    "a plan that is run",
    { item: "graph go = planGraph(plan)", flow: "check -> go -> { passed -> end, else -> write }" },
    {
      item: "graph go = planGraph(findTasks(question))",
      flow: "check -> go -> { passed -> end, else -> write }",
    },
    "M3503 «findTasks(question)» `Promise<Task[]>` does not fit `Plan`",
  ],
  [
    "a reducer of the scope",
    { state: "total: int = 0 via count", clause: "system `${total}`" },
    { state: 'total: string = "" via count', clause: "system `${total}`" },
    "M3509 «count» `(before: number, written: number) => number` does not fit `(before: string, written: any) => unknown`",
  ],
  [
    "a reducer of one write",
    {
      item: "run last = pickAny(status) writes report via newest",
      flow: "check -> last -> { passed -> end, else -> write }",
    },
    {
      item: "run last = pickAny(status) writes report via count",
      flow: "check -> last -> { passed -> end, else -> write }",
    },
    "M3509 «count» `(before: number, written: number) => number` does not fit `(before: string, written: any) => unknown`",
  ],
  [
    "what a test gives",
    {
      top: 'test "t" of G { given question = "q"\n write says "x"\n expect path write -> check -> end }',
    },
    {
      top: 'test "t" of G { given task = { query: "q", priority: "middle", tags: [], scores: {} }, question = "q"\n write says "x"\n expect path write -> check -> end }',
    },
    'M3508 «"middle"» `"middle"` does not fit `"low" | "high"`',
  ],
  [
    "what a node says in a test",
    {
      top: 'test "t" of G { given question = "q"\n write says "x"\n check says true\n expect path write -> check -> end }',
    },
    {
      top: 'test "t" of G { given question = "q"\n write says "x"\n check says pick("failed")\n expect path write -> check -> end }',
    },
    'M3508 «pick("failed")» `string` does not fit `boolean`',
  ],
  [
    "what a test expects",
    {
      top: 'test "t" of G { given question = "q"\n write says "x"\n expect visits(write) == 1 && run.cost < 1 && report == "x" }',
    },
    { top: 'test "t" of G { given question = "q"\n write says "x"\n expect pick(status) }' },
    'M3505 «pick(status)» a condition is true or false, and this is `"write" | "check"`',
  ],
  [
    "a field of items, on the arrows of their body",
    {
      item: "run look(note: string) = pickAny(status) writes seen",
      flow: 'check -> each note of notes {\n state { seen: string = ""\n uses: int = 0 }\n look(note)\n look -> end when seen.length > uses set uses = seen.length\n }',
    },
    {
      item: "run look(note: string) = pickAny(status) writes seen",
      flow: 'check -> each note of notes {\n state { seen: string = ""\n uses: int = 0 }\n look(note)\n look -> end when pickAny(seen) set uses = seen.length\n }',
    },
    "M3505 «pickAny(seen)» a condition is true or false, and this is `string`\nM3503 «seen» `string` does not fit `Status`",
  ],
];
