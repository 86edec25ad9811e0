/** Reads what follows `break`, `watch`, `on` and `cost` as a breakpoint. */
import type { Breakpoint } from "../../../runtime/index.ts";
import { CommandError } from "../../command-error.ts";

/** `search`, `after search`, `a -> b`, each with `if EXPRESSION` and `hits N` behind it. */
export function readBreak(rest: string): Breakpoint {
  const { what, more } = withConditions(rest, "break NODE");
  if (what.includes("->")) return { edge: what, ...more };
  const [, when, node] = /^(?:(before|after)\s+)?(\S+)$/.exec(what) ?? [];
  if (node === undefined)
    throw unclear(`break ${rest}`, "break NODE, break after NODE, break A -> B");
  return { node, ...(when === undefined ? {} : { when: when as "before" | "after" }), ...more };
}

/** `plan.steps[2].title` */
export function readWatch(rest: string): Breakpoint {
  const { what, more } = withConditions(rest, "watch FIELD");
  return { watch: what, ...more };
}

/** `error`, `tool docs.search`, `message of write`. */
export function readOn(rest: string): Breakpoint {
  const { what, more } = withConditions(rest, "on EVENT");
  const [, on = "", name, node] =
    /^(\S+?)(?:\s+(?!of\s)(\S+))?(?:\s+of\s+(\S+))?$/.exec(what) ?? [];
  if (on === "") throw unclear(`on ${rest}`, "on EVENT [NAME] [of NODE]");
  return {
    on: on as "error",
    ...(name === undefined ? {} : { name }),
    ...(node === undefined ? {} : { node }),
    ...more,
  };
}

/** `0.50`, `$0.50` */
export function readCost(rest: string): Breakpoint {
  const { what, more } = withConditions(rest, "cost DOLLARS");
  const costAbove = Number(what.replace(/^\$/, ""));
  if (Number.isNaN(costAbove)) throw unclear(`cost ${rest}`, "cost DOLLARS, as in: cost 0.50");
  return { costAbove, ...more };
}

function withConditions(rest: string, usage: string) {
  const [, what = "", condition, hits] =
    /^([\s\S]+?)(?:\s+if\s+([\s\S]+?))?(?:\s+hits\s+(\d+))?$/.exec(rest.trim()) ?? [];
  if (what === "") throw unclear(usage.split(" ")[0] ?? "", `${usage} [if EXPRESSION] [hits N]`);
  return {
    what,
    more: {
      ...(condition === undefined ? {} : { if: condition }),
      ...(hits === undefined ? {} : { hits: Number(hits) }),
    },
  };
}

function unclear(what: string, usage: string): CommandError {
  return new CommandError("M5450", `\`${what}\` is not a breakpoint`, { hint: usage });
}
