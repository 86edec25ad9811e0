/** The style of the page: one column, light or dark as the reader's system is, black on white on paper. */
export const PAGE_STYLE = `:root {
  color-scheme: light dark;
  --paper: #ffffff; --ink: #1c1e21; --quiet: #5f6670; --line: #d9dce1; --code: #f5f6f8;
  --red: #b3261e; --green: #1b6e3c; --yellow: #7a5900; --blue: #1a56a8; --magenta: #8a2b86; --cyan: #00677a;
  --error: #fdf1f0; --stderr: #fdf8e8;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #16181c; --ink: #e4e6ea; --quiet: #9aa1ab; --line: #363b43; --code: #1f2228;
    --red: #ff8a80; --green: #7ed69b; --yellow: #e6c35c; --blue: #8ab8ff; --magenta: #e79be3; --cyan: #6fd3e3;
    --error: #2c1c1c; --stderr: #2a2518;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}
main { max-width: 62rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1, h2, h3, h4 { line-height: 1.25; margin: 1.6em 0 .5em; }
h1 { margin-top: .5em; }
pre, code, .nb-count { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
pre { font-size: .84rem; line-height: 1.45; margin: 0; overflow-x: auto; tab-size: 2; }
blockquote { margin: 1em 0; padding-left: 1em; border-left: 3px solid var(--line); color: var(--quiet); }
img, .nb-drawing svg { max-width: 100%; height: auto; }
.nb-markdown code { font-size: .88em; background: var(--code); padding: .1em .3em; border-radius: 3px; }
.nb-markdown pre { background: var(--code); padding: .7rem .9rem; border-radius: 6px; }
.nb-markdown pre code { background: none; padding: 0; }
.nb-markdown table { border-collapse: collapse; }
.nb-markdown th, .nb-markdown td { padding: .2em .7em; border-bottom: 1px solid var(--line); text-align: left; }
.nb-link { text-decoration: underline; text-decoration-color: var(--quiet); }
.nb-address { color: var(--quiet); font-size: .85em; overflow-wrap: break-word; }
.nb-cell { margin: 1.4rem 0; }
.nb-count { color: var(--quiet); font-size: .72rem; margin-bottom: .15rem; }
.nb-code { background: var(--code); border: 1px solid var(--line); border-radius: 6px; padding: .7rem .9rem; }
.nb-output { margin: .7rem 0 0; overflow-x: auto; }
.nb-html { font-size: .9rem; }
.nb-html table { border-collapse: collapse; }
.nb-html th, .nb-html td { padding: .2em .7em; }
.nb-text, .nb-stderr, .nb-error { white-space: pre-wrap; overflow-wrap: break-word; padding: .1rem .9rem; }
.nb-stderr { background: var(--stderr); border-radius: 6px; padding: .5rem .9rem; }
.nb-error { background: var(--error); border-left: 3px solid var(--red); border-radius: 6px; padding: .6rem .9rem; white-space: pre; }
.nb-drawing { margin: 0; }
.nb-comment { color: var(--quiet); font-style: italic; } .nb-string { color: var(--green); }
.nb-number { color: var(--cyan); } .nb-word { color: var(--blue); } .nb-magic { color: var(--magenta); }
.nb-bold { font-weight: 700; }
.nb-quiet { opacity: .65; }
.nb-italic { font-style: italic; }
.nb-underlined { text-decoration: underline; }
.nb-red { color: var(--red); } .nb-green { color: var(--green); } .nb-yellow { color: var(--yellow); }
.nb-blue { color: var(--blue); } .nb-magenta { color: var(--magenta); } .nb-cyan { color: var(--cyan); }
.nb-white, .nb-black { color: inherit; }
.nb-on-red, .nb-on-green, .nb-on-yellow, .nb-on-blue, .nb-on-magenta, .nb-on-cyan, .nb-on-white, .nb-on-black {
  background: var(--line);
}
@media (max-width: 40rem) {
  body { font-size: 15px; }
  main { padding: .8rem .7rem 3rem; }
  pre { font-size: .76rem; }
}
@media print {
  :root {
    color-scheme: light;
    --paper: #fff; --ink: #000; --quiet: #555; --line: #ccc; --code: #f5f5f5;
    --red: #900; --green: #060; --yellow: #650; --blue: #036; --magenta: #606; --cyan: #055;
    --error: #fff; --stderr: #fff;
  }
  main { max-width: none; padding: 0; }
  pre, .nb-error { white-space: pre-wrap; overflow-wrap: break-word; }
  .nb-drawing, .nb-output tr, .nb-code { break-inside: avoid; }
  h1, h2, h3, .nb-count { break-after: avoid; }
}`;
