import { expect, test } from "vitest";
import { arrayMethods, numberMethods, stringMethods } from "../../../dsl/index.ts";
import { methodNames } from "../../../runtime/scheduler/expressions/methods.ts";

test("the checker knows exactly the methods that the engine has", () => {
  const checked = { string: stringMethods, array: arrayMethods, number: numberMethods };
  for (const kind of ["string", "array", "number"] as const)
    expect(Object.keys(checked[kind]).toSorted()).toEqual(methodNames[kind].toSorted());
});
