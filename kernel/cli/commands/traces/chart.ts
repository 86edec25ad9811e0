/** `madrigal chart NAME [RUN…]`: draws a chart of runs as text, as SVG, or as Vega-Lite with its rows. */
import { nearest } from "../../../../dsl/index.ts";
import { CommandError } from "../../../command-error.ts";
import {
  CHART_ARGUMENTS,
  CHARTS,
  type Chart,
  type LatencyOptions,
  type NamedChart,
} from "../../../display/index.ts";
import { EXIT } from "../../../exit-codes.ts";
import { useSession } from "../../../session.ts";
import type { CommandCall } from "../../arguments.ts";
import type { CliCommand } from "../../command.ts";
import { print, printJson, tell } from "../../output.ts";
import { openRunsToRead } from "../../stored-runs.ts";
import { writeTextFile } from "./write-file.ts";

export const command: CliCommand = {
  options: { by: "text", svg: "text", json: "flag" },
  arguments: ["NAME", "[RUN…]"],
  async run(call) {
    const [name = "", ...words] = call.arguments;
    const named = namedChart(name);
    const options = latencyOptions(call, named);
    assertCount(name, named, words);
    const session = openRunsToRead();
    useSession(session);
    const ids = [];
    for (const word of named.of === "step" ? words.slice(0, 1) : words) {
      ids.push(await session.findRunId(word));
    }
    if (ids.length === 0 && named.of === "run") ids.push(await session.findRunId("last"));
    const chart = makeChart(named, { ids, words, options });
    await show(chart, { name, ids, call });
    await session.close();
    return EXIT.done;
  },
};

function namedChart(name: string): NamedChart {
  const named = Object.hasOwn(CHARTS, name) ? CHARTS[name] : undefined;
  if (named !== undefined) return named;
  const names = Object.keys(CHARTS);
  const meant = nearest(name, names);
  throw new CommandError("M7611", `there is no chart \`${name}\``, {
    hint: meant === undefined ? `there are ${names.join(", ")}` : `did you mean \`${meant}\`?`,
  });
}

const COUNTS: Readonly<
  Record<NamedChart["of"], { readonly least: number; readonly most: number }>
> = {
  run: { least: 0, most: 1 },
  runs: { least: 0, most: Infinity },
  "timed runs": { least: 0, most: Infinity },
  two: { least: 2, most: 2 },
  step: { least: 2, most: 2 },
};

function assertCount(name: string, { of }: NamedChart, words: readonly string[]): void {
  const { least, most } = COUNTS[of];
  const isStep = of !== "step" || /^\d+$/.test(words[1] ?? "");
  if (words.length >= least && words.length <= most && isStep) return;
  const expected = CHART_ARGUMENTS[of];
  throw new CommandError("M7612", `the chart \`${name}\` takes ${expected}`, {
    hint: `write \`madrigal chart ${name} ${expected}\``,
  });
}

function latencyOptions(call: CommandCall, { of }: NamedChart): LatencyOptions {
  const by = call.text("by");
  if (by === undefined) return {};
  if (of === "timed runs" && (by === "node" || by === "model" || by === "tool")) return { by };
  const message =
    of === "timed runs"
      ? `\`--by\` takes node, model or tool, not \`${by}\``
      : "`--by` belongs to charts of latencies";
  throw new CommandError("M7614", message, {
    hint: "write `madrigal chart latencies --by node|model|tool`",
  });
}

interface ChartCall {
  readonly ids: readonly string[];
  readonly words: readonly string[];
  readonly options: LatencyOptions;
}

function makeChart(named: NamedChart, { ids, words, options }: ChartCall): Chart {
  const [first = "", second = ""] = ids;
  const some = ids.length === 0 ? undefined : ids;
  switch (named.of) {
    case "run":
      return named.make(first);
    case "runs":
      return named.make(some);
    case "timed runs":
      return named.make(some, options);
    case "two":
      return named.make(first, second);
    case "step":
      return named.make(first, Number(words[1]));
  }
}

async function show(
  chart: Chart,
  of: { readonly name: string; readonly ids: readonly string[]; readonly call: CommandCall },
): Promise<void> {
  const { spec, svg, text } = await chart.drawing();
  const file = of.call.text("svg");
  if (file !== undefined) writeTextFile(file, svg);
  const rows = await chart.rows();
  if (of.call.flag("json")) {
    printJson({
      chart: of.name,
      runs: of.ids,
      ...(file === undefined ? {} : { file }),
      rows,
      spec,
    });
  } else if (file === undefined) {
    print(text);
  } else {
    tell(text);
    print(`picture: ${file}`);
  }
}
