/** Makes a page of HTML that runs no script and loads and sends nothing. */
import { escapeMarkup } from "./escape.ts";

/** `body` is HTML, `title` is text; `policy` allows a page of a server its own script. */
export function closedPage({
  title,
  style,
  body,
  policy = POLICY,
}: {
  readonly title: string;
  readonly style: string;
  readonly body: string;
  readonly policy?: string;
}): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeMarkup(title)}</title>
<style>
${style}
</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
}

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";
