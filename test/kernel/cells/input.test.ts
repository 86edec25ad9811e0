import { expect, test } from "vitest";
import { Cell } from "../../../kernel/cells/cell.ts";
import { createHost } from "../../../kernel/cells/cell-host.ts";
import { inCell } from "../../../kernel/cells/current-cell.ts";
import { confirm, input, prompt, select } from "../../../kernel/cells/questions/input.ts";
import { useHost } from "../../../kernel/host.ts";

function asked(answers: readonly string[], question: () => unknown): unknown {
  const left = [...answers];
  const prompts: string[] = [];
  useHost(
    createHost({
      ask(_id, text) {
        prompts.push(text);
        return left.shift() ?? "";
      },
      askLater: async () => undefined,
    }),
  );
  const request = {
    id: "m1",
    code: "",
    executionCount: 1,
    silent: false,
    storeHistory: true,
    allowStdin: true,
    userExpressions: {},
  };
  const answer = inCell(new Cell(request, "Cell[1]", () => {}), question);
  return { answer, prompts };
}

test("contract: input(text) = prompt(text), a line of text", () => {
  expect(input).toBe(prompt);
  expect(asked(["Ada"], () => prompt("name? "))).toEqual({ answer: "Ada", prompts: ["name? "] });
});

test("contract: confirm asks again until it is yes or no", () => {
  expect(asked(["", "maybe", "Yes"], () => confirm("go?"))).toEqual({
    answer: true,
    prompts: ["go? (y/n) ", "go? (y/n) ", "go? (y/n) "],
  });
  expect(asked(["n"], () => confirm("go?"))).toMatchObject({ answer: false });
});

test("contract: select takes the number or the text of an option", () => {
  const choose = () => select("which?", ["a", "b"]);
  expect(asked(["3", "2"], choose)).toMatchObject({ answer: "b" });
  expect(asked(["a"], choose)).toEqual({ answer: "a", prompts: ["which? (1 = a, 2 = b) "] });
});
