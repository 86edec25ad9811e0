/** What happens outside; in a test a script says it. */
export function events(): readonly string[] {
  return [];
}
