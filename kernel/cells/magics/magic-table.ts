/** Lists every magic. Cells run by this table, `%help` prints it, completion and inspection read it. It imports no runtime. */
import { QUICK_CHARTS } from "../../display/chart/quick-types.ts";
import { RUN_STATUSES } from "../../run-statuses.ts";

export interface MagicOption {
  /** `--chart`. */
  readonly name: string;
  /** The placeholder of the option's value, as `TYPE`; absent for a switch. */
  readonly value?: string;
  /** All that may stand there, where that is known. */
  readonly values?: readonly string[];
  readonly says: string;
}

export interface Magic {
  readonly name: string;
  /** `%%` begins a cell of a kind, `%` is a line of its own. */
  readonly usage: string;
  readonly says: string;
  readonly options: readonly MagicOption[];
  /** The words without an option, by placeholder and number; absent if there may be none. */
  readonly words?: { readonly name: string; readonly max: number };
  /** All that stands behind its name is one word, as it is. */
  readonly takesLine?: boolean;
  readonly example: string;
}

const MAGICS = [
  {
    name: "%%graph",
    usage: "%%graph",
    says: "The cell below this line is the language of graphs. The kernel recognizes it without this line too.",
    options: [],
    example: "%%graph\ngraph Hello(name: string) returns greeting { … }",
  },
  {
    name: "%%sql",
    usage: "%%sql [--chart TYPE] [--save NAME]",
    says: "The cell below this line is DuckDB's SQL over the traces of all runs; `${run.id}` binds a value of a cell.",
    options: [
      { name: "--chart", value: "TYPE", values: QUICK_CHARTS, says: "draws the rows" },
      { name: "--x", value: "COLUMN", says: "the column along the x axis" },
      { name: "--y", value: "COLUMN", says: "the column along the y axis" },
      { name: "--color", value: "COLUMN", says: "the column that the colours show" },
      { name: "--title", value: "TEXT", says: "the title of the chart" },
      { name: "--save", value: "NAME", says: "gives the rows to later cells under this name" },
      { name: "--rows", value: "COUNT", says: "the greatest number of rows to read" },
    ],
    example:
      "%%sql --chart bar --save costs\nSELECT node, sum(cost_usd) AS usd FROM node_runs GROUP BY node",
  },
  {
    name: "%%bash",
    usage: "%%bash",
    says: "The cell below this line is a script of a shell; what it writes is shown as it comes, and the stop button ends it. `!ls -la` is one line of it.",
    options: [],
    example: "%%bash\nls -la",
  },
  {
    name: "%%python",
    usage: "%%python [--save NAME]",
    says: "The cell below this line is Python, in one process for the notebook. Arrays and rows of cells that it names are tables of pandas, polars or pyarrow there, or else lists.",
    options: [
      {
        name: "--save",
        value: "NAME",
        says: "gives a table, or a list of dicts, of this name to later cells",
      },
    ],
    example: "%%python --save tall\ntall = people[people.height > 180]",
  },
  {
    name: "%%time",
    usage: "%%time",
    says: "Shows what the cell below this line took: its time, and the tokens and costs of the runs that it started. The cell may be of any kind.",
    options: [],
    example: '%%time\nawait Hello.run({ name: "Ann" }).output',
  },
  {
    name: "%timeit",
    usage: "%timeit EXPRESSION",
    says: "Evaluates an expression of TypeScript again and again, awaits it if it is a promise, and shows how long one time takes.",
    options: [],
    words: { name: "EXPRESSION", max: 1 },
    takesLine: true,
    example: "%timeit JSON.stringify(people)",
  },
  {
    name: "%config",
    usage: "%config [NAME [VALUE]] [--reset]",
    says: "Each setting with its value and where that came from; with a value, sets it for this session.",
    options: [{ name: "--reset", says: "removes the value that this session set" }],
    words: { name: "NAME VALUE", max: 2 },
    example: "%config model rules",
  },
  {
    name: "%runs",
    usage: "%runs [GRAPH] [--status STATUS] [--limit COUNT]",
    says: "The runs of this workspace, the newest first, also those of other processes.",
    options: [
      {
        name: "--status",
        value: "STATUS",
        values: RUN_STATUSES,
        says: "only runs with this status",
      },
      { name: "--limit", value: "COUNT", says: "how many, 20 if not said" },
    ],
    words: { name: "GRAPH", max: 1 },
    example: "%runs DeepSearch --status failed",
  },
  {
    name: "%traces",
    usage: "%traces [FOLDER|off] [--since DAY] [--until DAY] [--graph NAME]",
    says: "Questions and charts see the runs that many workspaces have published in a folder beside those of this one; `off`, or nothing, ends that.",
    options: [
      {
        name: "--since",
        value: "DAY",
        says: "runs that began on this day or later: `2026-11-28`, `7d`",
      },
      { name: "--until", value: "DAY", says: "runs that began on this day or before" },
      { name: "--graph", value: "NAME", says: "runs of this graph, or of several: `Plan,Review`" },
    ],
    words: { name: "FOLDER", max: 1 },
    example: "%traces /mnt/traces --since 7d --graph DeepSearch",
  },
  {
    name: "%memory",
    usage: "%memory [MEMORY] [--user ID] [--state STATE] | %memory learn RUN",
    says: "The entries of memories, the newest first: whose they are, their state, and which run stored them; `learn` has entries proposed from a run.",
    options: [
      { name: "--user", value: "ID", says: "only what is kept for this user" },
      {
        name: "--state",
        value: "STATE",
        values: ["kept", "proposed", "superseded", "forgotten"],
        says: "only entries in this state",
      },
    ],
    words: { name: "MEMORY", max: 2 },
    example: "%memory notes --state proposed",
  },
  {
    name: "%answers",
    usage: "%answers [THREAD] | %answers forget ID",
    says: "The answers that threads remember, the last given first; `forget` takes one back, so that runs that start later ask again.",
    options: [],
    words: { name: "THREAD", max: 2 },
    example: "%answers ada",
  },
  {
    name: "%test",
    usage: "%test [GRAPH] [--coverage]",
    says: "Runs the tests that cells declared, or those of one graph; a test that fails fails the cell.",
    options: [
      {
        name: "--coverage",
        says: "shows how often the tests took each arrow, as a table and as a drawing: arrows that none took are red and dashed",
      },
    ],
    words: { name: "GRAPH", max: 1 },
    example: "%test Review --coverage",
  },
  {
    name: "%who",
    usage: "%who [PART]",
    says: "The names that cells declared, with types and the beginnings of values; with a part, those that have it in them.",
    options: [],
    words: { name: "PART", max: 1 },
    example: "%who run",
  },
  {
    name: "%debug",
    usage: "%debug [COMMAND]",
    says: "What is known of the cell that failed last: its error with the causes, the values that its lines name, and the run that failed in it; with a command, does what `madrigal debug` does with that run.",
    options: [],
    words: { name: "COMMAND", max: 1 },
    takesLine: true,
    example: "%debug continue",
  },
  {
    name: "%cells",
    usage: "%cells [--run]",
    says: "The cells that have run, drawn with what each declares and uses; stale ones stand out.",
    options: [
      { name: "--run", says: "runs the stale cells again, each after those it depends on" },
    ],
    example: "%cells --run",
  },
  {
    name: "%reload",
    usage: "%reload [on|off]",
    says: "Reads modules of the notebook's folder that have been edited again. Each cell does that before it runs, unless it is `off`.",
    options: [],
    words: { name: "on|off", max: 1 },
    example: "%reload off",
  },
  {
    name: "%cd",
    usage: "%cd [FOLDER]",
    says: "Changes the working folder of the kernel; without a folder shows it.",
    options: [],
    words: { name: "FOLDER", max: 1 },
    example: "%cd ~/songs",
  },
  {
    name: "%env",
    usage: "%env [NAME[=VALUE]]",
    says: "Shows the variables of the environment, or one, or sets it. Values that are or look like secrets are hidden.",
    options: [],
    words: { name: "NAME=VALUE", max: 1 },
    example: "%env LOG_LEVEL=debug",
  },
  {
    name: "%help",
    usage: "%help [TOPIC]",
    says: "The kinds of cells and the magics; with a topic, the help on a magic, a word of the language or an error's code.",
    options: [],
    words: { name: "TOPIC", max: 1 },
    example: "%help %%sql",
  },
] as const satisfies readonly Magic[];

export const magics: readonly Magic[] = MAGICS;

/** A magic that is a line of its own. */
export type LineMagicName = Exclude<(typeof MAGICS)[number]["name"], `%%${string}`>;

/** The names of magics that are a line of their own. */
export const lineMagics: readonly string[] = magics
  .map(({ name }) => name)
  .filter((name) => !name.startsWith("%%"));

export function isLineMagic(name: string): name is LineMagicName {
  return lineMagics.includes(name);
}

export function magicOf(name: string): Magic | undefined {
  return magics.find((magic) => magic.name === name);
}

/** Returns the help on a magic, for `%help` and inspection. */
export function magicHelp({ usage, says, options, example }: Magic): string {
  const listed = options.map(
    ({ name, value, values, says: what }) =>
      `- \`${name}${value === undefined ? "" : ` ${value}`}\` ${what}${values === undefined ? "" : `: ${values.join(", ")}`}`,
  );
  const parts = [`\`${usage}\``, says, listed.join("\n"), `\`\`\`\n${example}\n\`\`\``];
  return parts.filter((part) => part !== "").join("\n\n");
}
