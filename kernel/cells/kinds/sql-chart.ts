/** Draws the rows of `%%sql --chart TYPE`. */

import { withPlainNames } from "../../display/chart/plain-names.ts";
import { isUnfit, quickSpec, type Unfit } from "../../display/chart/quick-chart.ts";
import type { QuickOptions, QuickType } from "../../display/chart/quick-types.ts";
import { type Chart, chart, type Rows } from "../../display/index.ts";
import { type MagicCall, wrongAt } from "../magics/read-magic.ts";

/** Undefined where no chart was asked for. Throws a frame at the option that the rows have nothing for. */
export function chartOf(rows: Rows, call: MagicCall): Chart | undefined {
  const type = call.options.get("--chart");
  if (type === undefined) return undefined;
  const said = (option: string) => call.options.get(`--${option}`)?.text;
  const asked = Object.entries({
    x: said("x"),
    y: said("y"),
    color: said("color"),
    title: said("title"),
  });
  const options: QuickOptions = Object.fromEntries(asked.filter(([, text]) => text !== undefined));
  const spec = quickSpec(rows.columns, { ...options, type: type.text as QuickType });
  if (isUnfit(spec)) throw unfitAt(spec, call);
  return chart(withPlainNames(rows), spec);
}

function unfitAt({ at, message, hint }: Unfit, { source, options }: MagicCall): Error {
  const word = options.get(at === "type" ? "--chart" : `--${at}`);
  if (word === undefined) throw new Error(`--${at} was not given`);
  return wrongAt(source, word, { code: "M7516", message, hint });
}
