/** Explanations of the error codes M24xx: imports of programs and calls of graphs. */
import type { CodePage } from "./page.ts";

const OTHER =
  'Beside it stands `models.madrigal`:\n\n    model smart = "openai/gpt-4o"\n    type Review = { verdict: string }';

/** Explanations of the error codes about imports of other programs and calls of their graphs (M24). */
export const imports = {
  M2401: {
    title: "an import of a program that is not there",
    why: `The path behind \`from\` is meant from the folder of the file that imports; in a notebook, from the working folder. ${OTHER}`,
    bad: 'import { smart } from "./modles.madrigal"\ngraph G() returns a {\n  state { a: string }\n  agent write { model smart; prompt `Write.`; writes a }\n  start -> write\n}\n',
    good: 'import { smart } from "./models.madrigal"\ngraph G() returns a {\n  state { a: string }\n  agent write { model smart; prompt `Write.`; writes a }\n  start -> write\n}\n',
  },
  M2402: {
    title: "an import of a name that the program does not declare",
    why: `A program offers its models, servers, types, settings, memories and graphs, and nothing else: what it imports itself is imported from where it is declared, and tests are not imported. ${OTHER}`,
    bad: 'import { smrt as smart } from "./models.madrigal"\ngraph G() returns a {\n  state { a: string }\n  agent write { model smart; prompt `Write.`; writes a }\n  start -> write\n}\n',
    good: 'import { smart as smart } from "./models.madrigal"\ngraph G() returns a {\n  state { a: string }\n  agent write { model smart; prompt `Write.`; writes a }\n  start -> write\n}\n',
  },
  M2403: {
    title: "imports that go round in a circle",
    why: "A program that imports itself, directly or through others, could not be read to its end. What both need goes into a file of its own. Graphs of one file may call each other.",
    bad: 'import { G } from "./this.madrigal"\ngraph H() returns a {\n  state { a: string }\n  graph inner = G() writes a\n  start -> inner\n}\n',
    good: 'graph G() returns a {\n  state { a: string = "" }\n  start -> end\n}\ngraph H() returns a {\n  state { a: string }\n  graph inner = G() writes a\n  start -> inner\n}\n',
    near: { none: "Any path to the file itself, or to one that imports it, closes the circle." },
  },
  M2404: {
    title: "an import of a program with errors",
    why: "What is imported becomes part of the graphs that use it, so the other program must be without an error. The first of its errors is shown; `madrigal check` of that file shows all.",
    bad: 'import { smart } from "./broken.madrigal"\ngraph G() returns a {\n  state { a: string }\n  agent write { model smart; prompt `Write.`; writes a }\n  start -> write\n}\n',
    good: 'import { smart } from "./models.madrigal"\ngraph G() returns a {\n  state { a: string }\n  agent write { model smart; prompt `Write.`; writes a }\n  start -> write\n}\n',
  },
  M2405: {
    title: "a result that the called graph does not return",
    why: "`graph x = Other() writes y` takes the result `y` of `Other`. A graph with one result gives it to the one field that is written, whatever that is called; otherwise the names decide, also where one field alone is written, or `writes y = result.z` says which result is meant.",
    bad: 'graph Inner() returns a, b {\n  state { a: string = ""\n    b: string = "" }\n  start -> end\n}\ngraph G() returns c {\n  state { c: string }\n  graph inner = Inner() writes c\n  start -> inner\n}\n',
    good: 'graph Inner() returns a, b {\n  state { a: string = ""\n    b: string = "" }\n  start -> end\n}\ngraph G() returns c {\n  state { c: string }\n  graph inner = Inner() writes c = result.a\n  start -> inner\n}\n',
    near: { none: "What is taken and the field it goes to are two words." },
  },
} as const satisfies Record<`M24${number}`, CodePage>;
