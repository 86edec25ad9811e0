/** Runs the tests of a project with a patch applied: here, whether there is one. */
export async function runTests(patch: string): Promise<boolean> {
  return patch !== "";
}
