/** Lists the exports of "madrigal" by group, one line each; a test compares it with the package. */
import { CHART_TABLE } from "../../display/chart/run-charts/chart-table.ts";

export interface ExportGroup {
  readonly title: string;
  readonly names: Readonly<Record<string, string>>;
}

export const exportGroups: readonly ExportGroup[] = [
  {
    title: "Graphs and runs",
    names: {
      compile: "compiles a text to its graphs, by name",
      check: "the errors and warnings of a text",
      graph: "builds a graph in TypeScript",
      memories: "what runs have stored in memories: `list`, `edit`, `approve`",
      runs: "stored runs: `open`, `last`, `list`, `tree`, `bisect`, `export`, `cassette`, `import`, `delete`, `prune`",
      Debugger: "moves a run forward and back, with breakpoints",
      graphTests: "declares the tests of a program with Vitest or another runner",
      intercept: "has all later runs ask an interceptor, which sees, changes and forbids calls",
      RunError: "the error of calls and runs: `code`, `hint`, `runId`, `node`",
      connect:
        'graphs and runs of a server of `madrigal serve`: `connect(url, { token }).graph("Ask").run({ … })`',
      close: "pauses what runs and closes the files",
    },
  },
  {
    title: "What graphs call",
    names: {
      tool: "a function as a tool, with its input and what it does outside",
      command: "what a node returns to write, send and choose the way on",
      rules: "answers by rules, in place of a model",
      cassette: "recorded answers of a file, in place of a model",
      readMessages:
        "messages of a conversation, from the forms of OpenAI, LangChain, the AI SDK and others",
      people:
        "answers in the place of people: `script`, `auto`, and `persona`, a graph that plays one",
      plans: "plans of Eko, AWorld and Magentic-UI: `read`, `write`, `merge`, `levels`",
      planning: "the functions that programs have as `planning`: `read`, `next`",
      toAiSdk: "a conversation as messages of the AI SDK",
      toLangChain: "a conversation as messages of LangChain and LangGraph",
      scripted: "answers that are written down, in place of a model",
      createBrowserTools: "tools that use a browser, each agent its own",
      createDocsTools: "the tools `search` and `read` over documents of a folder",
      createCodeTools: "tools that run code in a sandbox",
      createFileTools: "tools that read and change the files of a folder",
      createFolderTools: "tools that read the files of a folder, as `folder` in every program",
      createWebTools: "the tools `read` and `search` over the web",
      braveSearch: "the search engine Brave, for `createWebTools`",
      tavilySearch: "the search engine Tavily, for `createWebTools`",
      searxngSearch: "a SearXNG server, for `createWebTools`",
      classifyShell: "says whether a command line only reads, for the guard of a tool",
      controller: "an agent of another program, which a node drives",
      a2aController: "an agent somewhere else, which speaks A2A",
      remoteAgents: "a set of such agents by their cards, for a planner",
      scriptedController: "such an agent whose answers are written down",
      controllerLost: "the error for such an agent that is gone",
      sessionGone: "the error for a session of such an agent that is gone",
    },
  },
  {
    title: "Showing and asking",
    names: {
      display: "shows a value, or forms of it by mime type, below the cell",
      html: "HTML that shows itself: html`<b>${name}</b>`; holes are escaped",
      md: "Markdown that shows itself: md`**${name}**`; holes are escaped",
      svg: "a drawing that shows itself: svg`<svg>…</svg>`; holes are escaped",
      image:
        'a picture that shows itself, from a file or bytes: `image("plot.png", { width: 300 })`',
      clear: "clears what the cell shows",
      page: "shows a value in the front end's pager",
      progress: "a progress bar for a loop",
      report: "writes one page with all of a run",
      input: "asks for a text",
      prompt: "asks for a text with a default",
      confirm: "asks for yes or no",
      select: "asks for one of several",
      comm: "a connection to code in the front end",
    },
  },
  {
    title: "Inputs, whose value code reads: `k.value`, `k.value$`, `for await (const v of k)`",
    names: {
      slider: "a number of a range: `const k = slider({ min: 0, max: 10 })`",
      number: "a field for a number",
      dropdown: 'one of several: `dropdown(["a", "b"])`, `dropdown({ "A to Z": 1 })`',
      text: "a line of text, or `lines: 5`",
      date: "a day, as `2026-01-31`",
      checkbox: "a box to tick",
      button: "a button; its value counts how often it was pressed",
      pickRows: "a table whose rows are ticked: `pickRows(people, { several: true })`",
      form: "inputs whose values are taken together: `form({ k: slider(), name: text() })`",
    },
  },
  {
    title: "SQL and charts",
    names: {
      sql: "asks the traces: sql`SELECT … ${value}`",
      Rows: "rows of a question: `.page(n)`, `.chart()`, `.csv(file)`, `.json(file)`, `.parquet(file)`",
      plot: 'draws your own arrays: `plot(people, { x: "name", y: "born" })`, `plot(people, "bar")`',
      chart:
        "draws rows or SQL by a specification of Vega-Lite: a chart with `.rows()` and `.drawing()`",
    },
  },
  {
    title: "Charts of runs",
    names: Object.fromEntries(
      Object.entries(CHART_TABLE).map(([name, { says }]) => [name, says] as const),
    ),
  },
];
