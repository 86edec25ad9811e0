/** Shows the progress of a slow query in the cell. */
import { currentHost } from "../../host.ts";
import { durationText } from "../numbers.ts";
import { type ProgressBar, progress } from "../progress.ts";

/** The time after which a query shows a bar, in milliseconds. */
const SHOWN_MS = 3_000;

export interface ShownProgress {
  progress(percent: number | undefined): void;
  end(isCancelled: boolean): void;
}

/** Undefined outside of a notebook. */
export function showProgress(): ShownProgress | undefined {
  if (currentHost() === undefined) return undefined;
  const begun = performance.now();
  const took = () => durationText(Math.round((performance.now() - begun) / 100) * 100);
  let bar: ProgressBar | undefined;
  return {
    progress(percent) {
      if (performance.now() - begun < SHOWN_MS) return;
      bar ??= progress(100, { label: "query" });
      bar.set(Math.floor(percent ?? 0), `query, ${took()}`);
    },
    end(isCancelled) {
      if (bar === undefined) return;
      if (isCancelled) bar.advance(0, `query cancelled after ${took()}`);
      else bar.set(100, `query done in ${took()}`);
      bar.end();
    },
  };
}
