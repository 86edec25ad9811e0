/** Our tools as LangChain's, by their dotted names: both sides call the same functions, whose lines are counted for neither. */
import { tool } from "@langchain/core/tools";

const OPTIONS = Symbol.for("madrigal.tool");

const BASELINES = { none: "never", workspace: "maybe", external: "always" };

export function toolsOf(scope, ...names) {
  return names.map((name) => {
    const call = name.split(".").reduce((value, part) => value[part], scope);
    const { description, input, effect, baseline = BASELINES[effect] } = call[OPTIONS];
    const act = async (asked) => {
      const result = await call(asked);
      return typeof result === "string" ? result : JSON.stringify(result);
    };
    const metadata = { baseline };
    return tool(act, { name: name.replace(".", "_"), description, schema: input, metadata });
  });
}
