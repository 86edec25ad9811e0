/** Writes an error for a front end's debugger: code, cause and hint. */
export function faultText(thrown: unknown): string {
  if (!(thrown instanceof Error)) return `M9000: ${String(thrown)}`;
  const { code, hint } = thrown as { readonly code?: unknown; readonly hint?: unknown };
  const text = typeof code === "string" ? `${code}: ${thrown.message}` : thrown.message;
  return typeof hint === "string" ? `${text}\nhint: ${hint}` : text;
}
