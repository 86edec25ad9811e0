/** A function that takes `secrets`, and what looks like a key, out of a text that is shown or stored. */
export function createTextRedactor(secrets: readonly string[]): (text: string) => string {
  const known = secrets.filter((secret) => secret.length >= LENGTH_MIN);
  return (text) => {
    const without = known.reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), text);
    return KEY_LIKE.reduce((rest, pattern) => rest.replace(pattern, `$1${HIDDEN}`), without);
  };
}

const HIDDEN = "[hidden]";

// Shorter ones ("test", "none") are words of ordinary texts.
const LENGTH_MIN = 6;

const KEY_LIKE = [
  /(\bbearer\s+)[\w.~+/=-]{8,}/gi,
  /(\b)(?:sk|pk|rk)-[\w-]{8,}/g,
  /("?\b(?:api[_-]?key|authorization|x-api-key)\b"?\s*[:=]\s*"?)[\w.~+/=-]{8,}/gi,
];
