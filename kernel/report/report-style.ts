/** The style of the page about a run: one column, light or dark as the reader's system is, black on white on paper. */
export const REPORT_STYLE = `:root {
  color-scheme: light dark;
  --paper: #ffffff; --ink: #1f2328; --quiet: #57606a; --line: #d0d7de; --code: #f6f8fa; --red: #b3321a;
}
@media (prefers-color-scheme: dark) {
  :root { --paper: #16181c; --ink: #e6edf3; --quiet: #a2abb5; --line: #30363d; --code: #1c2026; --red: #f08068; }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}
main { max-width: 62rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1, h2, h3 { line-height: 1.25; }
h2 { margin: 2.2em 0 .6em; padding-bottom: .25em; border-bottom: 1px solid var(--line); font-size: 1.25rem; }
h3 { margin: 1.2em 0 .4em; font-size: 1rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1.2rem; margin: 1rem 0; }
dt { color: var(--quiet); } dd { margin: 0; overflow-wrap: anywhere; }
pre, code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .84rem; }
pre { background: var(--code); border: 1px solid var(--line); border-radius: 6px; padding: .6rem .8rem; white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.45; }
table { border-collapse: collapse; font-size: .88rem; }
th, td { padding: .25em .7em; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: anywhere; }
th { color: var(--quiet); font-weight: 600; white-space: nowrap; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.wide { overflow-x: auto; }
.quiet { color: var(--quiet); font-size: .9rem; }
.error { border-left: 3px solid var(--red); padding: .4rem .8rem; background: var(--code); overflow-wrap: anywhere; }
.error strong { color: var(--red); }
.picture { margin: 0; overflow-x: auto; }
.picture svg { max-width: 100%; height: auto; }
details { margin: .3rem 0; }
summary { cursor: pointer; padding: .15rem 0; }
.words summary { color: var(--quiet); font-size: .85rem; }
details[open] > summary { margin-bottom: .4rem; }
@media print {
  :root { color-scheme: light; --paper: #fff; --ink: #000; --quiet: #555; --line: #ccc; --code: #f5f5f5; --red: #900; }
  main { max-width: none; padding: 0; }
  .picture, tr { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
}`;
