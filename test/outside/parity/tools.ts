/** The tools of the scenes, as `eko-child.js` has them; they count their calls. */
import { tool } from "../../../runtime/index.ts";

const key = { type: "object", properties: { key: { type: "string" } } } as const;

export function createTools() {
  let calls = 0;
  const look = ({ key: name }: { readonly key?: string }) => {
    calls += 1;
    return `${name} is 7`;
  };
  const fail = () => {
    calls += 1;
    throw new Error("it is broken");
  };
  const env = {
    look: tool(look, { effect: "none", description: "looks", input: key }),
    fail: tool(fail, { effect: "none", description: "fails", input: key }),
  };
  return { env, calls: () => calls };
}
