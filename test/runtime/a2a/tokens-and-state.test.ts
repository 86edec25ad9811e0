/** The tokens of remote agents whose address comes from the state. */
import { expect, test } from "vitest";
import { graphWith } from "../operators/operators.ts";

/** The failure of a run whose agent is at an address of its state. */
async function failureAt(where: string, options: string): Promise<unknown> {
  const { graph } = graphWith(
    `graph Ask(where: string) returns answer {
      state { answer: string }
      operator remote { controller a2a(where, ${options}); prompt "What?"; writes answer }
      start -> remote -> end
    }`,
    {},
  );
  return await graph.run({ where }).output.catch((thrown: unknown) => thrown);
}

test.each([
  ['auth: "PATH"'],
  ['headers: { "X-Key": "PATH" }'],
  ['auth: "PATH", origins: [where]'],
  ['auth: "PATH", origins: ["https://agent.example"]'],
])("an address of the state gets no token: %s", async (options) => {
  expect(await failureAt("https://evil.example/", options)).toMatchObject({
    code: "M5208",
    message: "`https://evil.example` comes from the state, and is sent no token",
  });
});

test("an address of the state whose origin stands in the program gets its token", async () => {
  const options = 'auth: "NOT_SET", origins: ["https://agent.invalid"]';
  // It is the variable that is looked for: whoever has it would be sent it.
  expect(await failureAt("https://agent.invalid/a", options)).toMatchObject({
    message: expect.stringContaining("needs NOT_SET, which is not set"),
  });
});
