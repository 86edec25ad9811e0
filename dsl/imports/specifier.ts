/** Paths in imports, as texts: nothing here looks at a disk. */

/** Whether an import is of a program of ours, and not of TypeScript. */
export function isProgram(from: string): boolean {
  return from.endsWith(".madrigal");
}

/** What a file imports by `inner`, as it is called beside the file that imports that one by `outer`. */
export function besideOuter(outer: string, inner: string): string {
  if (!inner.startsWith("./") && !inner.startsWith("../")) return inner;
  const folder = outer.split("/").slice(0, -1);
  const steps: string[] = [];
  for (const step of [...folder, ...inner.split("/")]) {
    if (step === ".") continue;
    if (step === ".." && (steps.at(-1) ?? "..") !== "..") steps.pop();
    else steps.push(step);
  }
  const path = steps.join("/");
  return outer.startsWith(".") && steps[0] !== ".." ? `./${path}` : path;
}
