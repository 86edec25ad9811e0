/** Holds the help of each command: its line in `madrigal --help`, and what `madrigal COMMAND --help` adds. */
import { chartHelpLines } from "../display/chart/run-charts/chart-table.ts";
import type { CommandHelp } from "./command.ts";
import { RESTATE_HELP } from "./commands/restate/help.ts";
import { SET_UP_HELP } from "./set-up-help.ts";

/** The groups of `madrigal --help`, in their order, with the commands of each. */
export const HELP_GROUPS = {
  "Write programs": {
    check: {
      summary: "Check programs without running them",
      usage: ["check FILE… [--scope FILE.ts] [--prompts FOLDER] [--no-types] [--json | --watch]"],
      details: [
        "--scope FILE.ts   checks names and types against what `run --scope` will offer; nothing of it runs",
        "--prompts FOLDER  checks the prompts that `run --prompts` will take",
        "--no-types        leaves out what TypeScript finds in expressions",
        "--watch           checks again at each change of the files and of those that they import",
      ],
      examples: ["check report.madrigal", "check graphs/*.madrigal --scope tools.ts"],
    },
    fmt: {
      summary: "Format programs, and the graphs of notebooks, in place",
      usage: ["fmt FILE… [--migrate] [--check] [--json]"],
      details: [
        "FILE       `-` formats stdin to stdout",
        "--migrate  writes long forms the short way, where the program means the same, and lists them",
        "--check    lists the files that would change, and changes none",
      ],
      examples: ["fmt report.madrigal notebook.ipynb", "fmt --check graphs/*.madrigal"],
    },
    test: {
      summary: "Run the `test` blocks of programs; no model is called",
      usage: [
        "test FILE… [--no-types] [--seed NUMBER] [--json | --watch]",
        "test FILE… --coverage [--coverage-min PERCENT] [--coverage-svg FOLDER]",
      ],
      examples: ["test report.madrigal", "test graphs/*.madrigal --coverage-min 90"],
    },
    graph: {
      summary: "Draw the graphs of a program, or print their compiled form",
      usage: ["graph FILE [GRAPH] --svg|--mermaid|--dot|--json"],
      examples: [
        "graph report.madrigal --svg > report.svg",
        "graph report.madrigal Report --mermaid",
      ],
    },
    roles: {
      summary: "List what each node is told, reads and writes",
      usage: ["roles FILE [--json]"],
      examples: ["roles report.madrigal", "roles report.madrigal --json"],
    },
    skills: {
      summary: "List and check skills, and say which nodes have which",
      usage: ["skills [FILE…] [--json]"],
      examples: ["skills", "skills review.madrigal --json"],
    },
    explain: {
      summary: "Explain a code such as M2101",
      usage: ["explain CODE [--json]"],
      examples: ["explain M2101", "explain M5302 --json"],
    },
  },
  "Run and debug": {
    run: {
      summary: "Check a program, then run one of its graphs",
      usage: [
        "run FILE [GRAPH] [--input JSON|@FILE] [--model ALIAS=ID]… [--record FILE] [--scope FILE.ts] [--thread ID [--busy reject|queue|interrupt|rollback] | --from RUN] [--user ID] [--durability sync|async|exit] [--mode NAME] [--config JSON|@FILE] [--prompts FOLDER] [--answers JSON|@FILE] [--no-types] [--quiet] [--json | --events]",
      ],
      details: [
        "--model ALIAS=ID  uses another model: `rules`, cassette:FILE, or PROVIDER/MODEL",
        "--record FILE     records each model call of the run into the cassette FILE",
        "--scope FILE.ts   offers the exports of FILE.ts to the program",
        "--thread ID       continues a thread: fields of `state thread` keep their values",
        "--busy            waits for a run of the thread that is under way (queue), or ends it and keeps or undoes what it wrote",
        "--from RUN        continues a thread from what RUN left there, as a branch of it",
        "--user ID         whose fields of `state user` the run reads and writes",
        "--durability      when records are on disk: before each next step (sync), soon (async), at the end (exit)",
        "--mode NAME       takes the settings and models of a mode of the file",
        "--config          gives other values to settings of the file; GRAPH.NAME to those of a graph that is called",
        "--prompts FOLDER  takes the prompts of NODE.prompt.md and NODE.system.md in FOLDER",
        "--answers         answers the questions of nodes, by their names, as `answer` takes it",
        "--quiet           tells nothing before the end",
        "--events          prints each event as a line of JSON",
      ],
      examples: [
        'run report.madrigal Report --input \'{"topic": "light"}\' --model m=openai/gpt-5',
        'run report.madrigal --quiet --answers \'{"review": "approve", "pay": "deny: too dear"}\'',
      ],
    },
    debug: {
      summary: "Step through a graph or a stored run, forward and back",
      usage: [
        "debug FILE [GRAPH] [--input JSON|@FILE] [--model ALIAS=ID]… [--scope FILE.ts] [--thread ID | --from RUN] [--user ID] [--durability sync|async|exit] [--mode NAME] [--config JSON|@FILE] [--prompts FOLDER] [--no-types]",
        "debug RUN",
      ],
      details: [
        "Breakpoints stand on nodes, arrows, fields, calls and costs. The debugger reads one command a line, from a",
        "terminal or a pipe; `help` lists them.",
      ],
      examples: ["debug report.madrigal", "debug last"],
    },
    resume: {
      summary: "Continue a run that was paused, failed, aborted or killed",
      usage: [
        "resume RUN [--map OLD=NEW]… [--drop NODE]… [--force] [--json]",
        "resume --due [--json]",
      ],
      details: [
        "--map OLD=NEW  says what a node or field of the run is called in the program of today",
        "--drop NODE    gives up what a node that is gone has under way",
        "--force        continues although nodes under way have changed",
        "--due          continues every run for which a time has come, until it sleeps again, waits or ends",
      ],
      examples: ["resume last", "resume --due"],
    },
    watch: {
      summary: "Stay, and continue each run when its time has come",
      usage: ["watch [--json]"],
      details: [
        "Sleeps until the next time at which a stored run has something due: a look of a sentinel, a delayed",
        "arrow, a question that expires. Ctrl-C ends it; what it was doing goes on later, here or elsewhere.",
        "--json  one document a line for each run that was continued",
      ],
      examples: ["watch", "watch --json"],
    },
    answer: {
      summary: "Answer a question of a waiting run, and continue the run",
      usage: ["answer RUN INTERRUPT VALUE [--remember call|run|thread] [--later] [--json]"],
      details: [
        "INTERRUPT   the id of the question, a node, a kind of question, or `all`",
        "VALUE       approve, deny[:REASON], edit JSON, revise TEXT, or the answer itself;",
        "            `edit` alone opens what is shown, as a plan, in $VISUAL or $EDITOR",
        "--remember  gives the same answer to later questions about the same call, or in this run or thread",
        "--later     stores the answer only; the next process that continues the run reads it",
      ],
      examples: ["answer 4f81c2d0 review 'revise shorter, please'", "answer last review edit"],
    },
    abort: {
      summary: "End a run, also one that another process drives",
      usage: ["abort RUN [--reason TEXT] [--json]"],
      details: ["What the run did is kept; `resume` can continue it."],
      examples: ["abort last", "abort 4f81c2d0 --reason 'wrong input'"],
    },
    fork: {
      summary: "Start a new run from a step of a stored run",
      usage: ["fork RUN STEP [--set JSON] [--json]"],
      details: ["--set JSON  gives fields other values at that step", "RUN itself is unchanged."],
      examples: ["fork last 3", 'fork last 3 --set \'{"topic": "sound"}\''],
    },
    rerun: {
      summary: "Run a stored run again; unchanged calls are not repeated",
      usage: [
        "rerun RUN [FILE] [--dry] [--input JSON|@FILE] [--anew NODE]… [--external] [--model ALIAS=ID]… [--json]",
      ],
      details: [
        "FILE         the program of today; without it, the run's own file, or its stored text",
        "--dry        prints the plan and what it saves, and stops there",
        "--anew NODE  performs a node again although nothing of it has changed",
        "--external   also repeats calls that had an effect outside",
      ],
      examples: ["rerun last --dry", "rerun last report.madrigal --anew search"],
    },
    replay: {
      summary: "Replay a run from its log; no model or tool is called",
      usage: ["replay RUN [--with FILE] [--json]"],
      details: ["--with FILE  shows where another version of the program would decide differently"],
      examples: ["replay last", "replay last --with report.madrigal"],
    },
  },
  "Stored runs": {
    runs: {
      summary: "List, delete and prune runs",
      usage: [
        "runs [--graph NAME] [--status STATUS] [--thread ID] [--limit N] [--json]",
        "runs tree RUN|THREAD [--json]",
        "runs delete RUN… | runs delete --thread ID",
        "runs prune [--older-than 30d] [--keep N] [--dry-run]",
      ],
      details: [
        "tree    shows which run was forked from which",
        "prune   deletes ended runs that are older than an age, all but the newest N of each thread, and artifacts",
        "        that no run names",
      ],
      examples: ["runs --status failed", "runs prune --older-than 30d --keep 5 --dry-run"],
    },
    show: {
      summary: "Show one run: its state, steps, questions and failure",
      usage: ["show RUN [--session NODE [--out FILE]] [--json]"],
      details: [
        "RUN             a run's short or whole id, the beginning of the whole id, or `last`",
        "--session NODE  all that an agent was told, said, did and asked; --out writes it as a page",
      ],
      examples: ["show last", "show 4f81c2d0 --session coder --out coder.html"],
    },
    diff: {
      summary: "Compare two runs: where they part, and why",
      usage: ["diff RUN OTHER [--json]"],
      examples: ["diff 4f81c2d0 last", "diff 4f81c2d0 last --json"],
    },
    bisect: {
      summary: "Find the first run for which a condition holds",
      usage: ["bisect CONDITION [--graph NAME] [--run RUN]… [--json]"],
      details: [
        "CONDITION  SQL over a row of the view `runs`. The command also names the last run before it for which the",
        "           condition does not hold, and what changed between the two.",
      ],
      examples: ["bisect \"status = 'failed'\" --graph Report", 'bisect "total_tokens > 10000"'],
    },
    threads: {
      summary: "Show, repair and fork what threads and users keep between runs",
      usage: [
        "threads [--json]",
        "threads show THREAD | threads show --user ID [--json]",
        "threads edit THREAD --set JSON [--for FILE[#GRAPH]]",
        "threads reset THREAD [FIELD…]",
        "threads fork THREAD NEW [--json]",
        "threads migrate THREAD --with FILE.ts[#FUNCTION] [--for FILE[#GRAPH]]",
        "threads answers [THREAD] [--json] | threads forget ID… [--json]",
      ],
      details: [
        "--user ID  in place of THREAD: the fields of a user",
        "edit       gives fields other values",
        "reset      lets fields, or all of them, begin anew",
        "fork       copies a thread, with its runs, under another name",
        "migrate    stores what a function makes of the values",
        "--for      refuses values that do not fit this graph",
        "answers    lists the answers of people that hold for a whole thread",
        "forget     takes such answers back: runs that start later ask again",
      ],
      examples: [
        "threads show ada",
        "threads edit ada --set '{\"notes\": []}' --for report.madrigal",
      ],
    },
    memory: {
      summary: "Show, edit, approve and forget what memories have",
      usage: [
        "memory [list] [MEMORY] [--user ID] [--state STATE] [--json]",
        "memory show ID [--json]",
        "memory edit ID --set JSON",
        "memory approve ID…",
        "memory delete ID… | memory delete --user ID [--redact-logs]",
        "memory export [MEMORY] [--user ID] | memory import FILE [--user ID]",
        "memory learn RUN… [--program FILE] [--model ALIAS=ID] [--json]",
      ],
      details: [
        "--user ID      only what is kept for that user; with `import`, all entries become the user's",
        "--state STATE  kept, proposed, superseded or forgotten",
        "edit           stores another value in the place of an entry",
        "approve        has proposed entries be recalled from now on",
        "--redact-logs  takes what is deleted out of the logs of the runs that stored or recalled it, too",
        "export         writes lines of JSON to stdout, which `import` reads",
        "learn          has a program, Learn of the library if none is named, propose what runs teach",
      ],
      examples: ["memory list notes --state proposed", "memory delete m2867a6 --redact-logs"],
    },
    export: {
      summary: "Write a run to a file, as OpenTelemetry spans, or as a cassette",
      usage: [
        "export RUN [FILE] [--exact] [--json]",
        "export RUN --otlp [FILE|URL] [--content] [--json]",
        "export RUN --cassette [FILE] [--json]",
      ],
      details: [
        "--exact     hides nothing: secrets and private fields are written too",
        "--otlp      writes or sends spans; without FILE or URL, to a file named after the run's whole id",
        "--content   adds what people, models and tools said",
        "--cassette  writes the model calls as a cassette, which answers in place of a model",
      ],
      examples: ["export last", "export last --otlp http://127.0.0.1:4318/v1/traces"],
    },
    import: {
      summary: "Read a run from a file, or traces of other programs",
      usage: [
        "import FILE [--copy | --replace] [--thread ID] [--json]",
        "import --listen PORT [--token TEXT] [--json]",
      ],
      details: [
        "FILE      what `export` wrote, or spans of OpenTelemetry or OpenInference",
        "--copy    gives the run a new id; --replace overwrites the run of the same id",
        "--listen  takes what is posted to http://127.0.0.1:PORT/v1/traces",
      ],
      examples: ["import run.madrigal-run --copy", "import --listen 4318"],
    },
  },
  Traces: {
    report: {
      summary: "Write a page about a run that needs no other file",
      usage: ["report RUN [--out FILE] [--json]"],
      details: [
        "The page has the drawing, charts, steps with what they changed, messages, questions, failures and the final",
        "state. Without --out it is .madrigal/out/report-ID.html, with the run's whole id.",
      ],
      examples: ["report last", "report last --out report.html"],
    },
    chart: {
      summary: "Draw a chart of runs, as text or SVG",
      usage: ["chart NAME [RUN…] [--by node|model|tool] [--svg FILE] [--json]"],
      details: [
        "NAME     one of these, with its runs; without RUN it is the last run, or all of them:",
        ...chartHelpLines().map((line) => `  ${line}`),
        "--by     curves or boxes for each node, model or tool",
        "--svg    writes a picture to FILE in place of text",
      ],
      examples: ["chart waterfall last", "chart latencies --by model --svg latencies.svg"],
    },
    sql: {
      summary: "Ask the traces in SQL: rows as a table, CSV, JSON or a chart",
      usage: [
        "sql QUERY [--rows N] [--csv | --json | --chart TYPE [--svg FILE]]",
        "sql QUERY --traces FOLDER [--since DAY] [--until DAY] [--graph NAME]",
      ],
      details: [
        "QUERY    one in DuckDB's SQL over the views `runs`, `node_runs`, `tool_calls` and the others; `-` reads stdin",
        "--rows   the most rows of CSV, JSON and charts, 100,000 unless said; a table has the first 100",
        "--chart  bar, line, area, point, arc or histogram, of the columns that fit it",
        "--svg    writes a picture to FILE in place of text",
        "--traces reads what `trace publish` wrote to FOLDER too: of the days and graphs, or of all",
      ],
      examples: [
        'sql "SELECT graph_path, status, cost_usd FROM runs ORDER BY ts DESC LIMIT 10"',
        'sql "SELECT node, avg(dur_us) FROM node_runs GROUP BY node" --chart bar',
      ],
    },
    trace: {
      summary: "Rebuild, compact, prune or publish the traces",
      usage: [
        "trace rebuild [--json]",
        "trace compact [--published FOLDER] [--dry-run] [--json]",
        "trace publish FOLDER [--every 5m] [--json]",
        "trace prune [--older-than 30d] [--keep N] [--dry-run] [--json]",
      ],
      details: [
        "rebuild  makes them anew from the logs",
        "compact  merges many small files into few",
        "publish  writes the ended runs that FOLDER does not have yet, for the notebooks of others: `%traces FOLDER`",
        "prune    deletes the traces of old runs, all but the newest N of each thread; their logs stay",
      ],
      examples: ["trace publish /mnt/traces --every 5m", "trace prune --older-than 90d"],
    },
  },
  Notebooks: {
    lab: {
      summary: "Start JupyterLab with the Madrigal kernel",
      usage: ["lab [NOTEBOOK…] [--port N] [--no-browser]"],
      details: ["The first start installs JupyterLab into .venv."],
      examples: ["lab", "lab notebooks/deep-search.ipynb --port 8899"],
    },
    exec: {
      summary: "Run a notebook without a browser, and store its outputs",
      usage: [
        "exec NB [--out DIR] [--html] [--pdf] [--png] [--stable] [--timeout SECONDS] [--param NAME=VALUE]… [--answers FILE] [--json]",
      ],
      details: [
        "NB         NAME.ipynb, or NAME.madrigal.md as `madrigal text` writes it",
        "--html     also writes a page",
        "--pdf      also writes that page as PDF, by an installed Chromium or Chrome",
        "--png      adds a PNG to each drawing and chart, for readers that show no SVG",
        "--stable   keeps the outputs of a cell that stand in the file of --out where only ids of runs and the kernel's own times differ",
        "--param    sets a variable of the cell tagged `parameters`",
        "--answers  answers the questions of runs from a file",
      ],
      examples: [
        "exec notebooks/deep-search.ipynb --out out",
        "exec report.ipynb --param topic=light --html --pdf",
      ],
    },
    app: {
      summary: "Serve a notebook as an app: inputs, questions and outputs",
      usage: [
        "app NB [--port PORT] [--visitors N] [--leave MINUTES] [--param NAME=VALUE]… [--code]",
      ],
      details: [
        "NB          its inputs and questions act, its code is hidden; each visitor has a kernel and runs of his own",
        "--port      7600 unless said, 0 for a free one; on this machine alone",
        "--visitors  the most at once, 8 unless said; a place is free again MINUTES after the last page was closed, 10 unless said",
        "--param     as for `exec`",
        "--code      shows the code, too",
        "Two addresses are printed, each with its token: the one of visitors, and that of their list and the debugger of their runs.",
      ],
      examples: [
        "app notebooks/prices.ipynb",
        "app report.ipynb --port 0 --visitors 3 --param topic=light",
      ],
    },
    text: {
      summary: "Write a notebook as Markdown for reviews, or such a text as a notebook",
      usage: ["text NB [--json]"],
      details: [
        "NB  NAME.ipynb, written as NAME.madrigal.md without its outputs; or the other way round",
        "A cell whose code is as it was keeps the outputs that NAME.ipynb has.",
      ],
      examples: ["text notebooks/deep-search.ipynb", "text report.madrigal.md"],
    },
    kernel: {
      summary: "Serve one notebook; Jupyter starts this command",
      usage: ["kernel FILE"],
      details: ["FILE  the connection file that Jupyter writes"],
      examples: ["kernel /tmp/kernel-1.json", "kernel connection.json"],
    },
  },
  "On several machines": RESTATE_HELP,
  "Set up": SET_UP_HELP,
} as const satisfies Readonly<Record<string, Readonly<Record<string, CommandHelp>>>>;

type HelpGroups = typeof HELP_GROUPS;

export type CommandName = {
  [Group in keyof HelpGroups]: keyof HelpGroups[Group];
}[keyof HelpGroups];

/** The help of every command, by its name. */
export const HELP_TEXTS: Readonly<Record<string, CommandHelp>> = Object.assign(
  {},
  ...Object.values(HELP_GROUPS),
);
