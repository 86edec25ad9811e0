/** The script of ipykernel: the same cells in Python, as far as that has them. */
import { BEGUN, CELLS, CELLS_IN_ALL, inTurn, LINES, type Script } from "./script.ts";

const kinds: readonly ((index: number, set: number) => string)[] = [
  (index, set) => `class Point${set}:
    def __init__(self, x: int, y: int, label: str):
        self.x, self.y, self.label${set} = x, y, label
point${set} = Point${set}(${index}, ${index + 1}, "p${index}")
point${set}.x + point${set}.y`,

  (index, set) => `def scale${set}(values: list[int], by: int = ${index}) -> list[int]:
    return [value * by for value in values]
" ".join(map(str, scale${set}([point${set}.x, point${set}.y])))`,

  (index, set) => `import math
def area${set}(shape: dict) -> float:
    return shape["side"] ** 2 if shape["kind"] == "box" else math.pi * shape["radius"] ** 2
f"{area${set}({'kind': 'circle${set}', 'radius': ${index}}):.2f}"`,

  (index, set) => `byName${set} = {"first${index}": point${set}}
byName${set}["first${index}"].label${set}`,

  (index, set) => `class Counter${set}:
    count = ${index}
    def add(self, by: int) -> "Counter${set}":
        self.count += by
        return self
count${set} = Counter${set}().add(len(scale${set}([1, 2]))).count
count${set}`,
];

// Written at once: what Python prints before it blocks may stay in its buffer.
const say = `print("${BEGUN}", flush=True)`;

export const pythonScript: Script = {
  first: "answer: int = 6 * 7\nanswer",
  distinct: inTurn(kinds, CELLS_IN_ALL),
  completions: inTurn(
    [
      (_, set) => ({ code: `point${set}.`, expected: `label${set}` }),
      (_, set) => ({ code: `byName${set}.g`, expected: "get" }),
    ],
    (2 * CELLS) / kinds.length,
  ),
  lines: `for line in range(${LINES}): print(line)`,
  blocking: {
    "sync loop": `${say}\nwhile True: pass`,
    "loop after await": `import asyncio\nawait asyncio.sleep(0)\n${say}\nwhile True: pass`,
    awaiting: `import asyncio\n${say}\nawait asyncio.sleep(1e8)`,
  },
};
