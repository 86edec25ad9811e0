/** Paths in imports, as texts: nothing here looks at a disk. */

/**
 * Returns the path `inner`, an import of the file at `outer`, relative to the file that imports
 * `outer`.
 */
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
