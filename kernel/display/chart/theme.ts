/** Holds the light and dark colours of pictures: light in the picture, dark in a style beside it. */

/** Each light colour and what it is where the reader's system is dark, with as much contrast to its ground. */
const PAIRS = [
  // The card, and text on marks of colour.
  ["#ffffff", "#16181c"],
  // Text, lines.
  ["#1f2328", "#e6edf3"],
  ["#57606a", "#a2abb5"],
  ["#6e7781", "#8b949e"],
  ["#8c959f", "#7d8590"],
  ["#d0d7de", "#30363d"],
  ["#e7ebef", "#2a2f36"],
  ["#eaeef2", "#2a2f36"],
  ["#f6f8fa", "#1c2026"],
  ["#afb8c1", "#5b636d"],
  // One for each thing told apart: config.ts, PALETTE.
  ["#1e78d0", "#3e8edc"],
  ["#e66a12", "#d66d17"],
  ["#0f553b", "#21ef8b"],
  ["#b02988", "#dd98b0"],
  ["#210188", "#aec5fe"],
  ["#665416", "#fdeb58"],
  ["#918f8b", "#74746f"],
  ["#8632f6", "#9a5cf8"],
  // Marks with text on them: config.ts, TONES.
  ["#4e92d3", "#2b6dab"],
  ["#a379de", "#844bd2"],
  ["#df6d21", "#a85218"],
  ["#359f73", "#287856"],
  ["#868f98", "#636b74"],
  ["#dc6d5c", "#bf3d29"],
  // From few to many: config.ts, STEPS.
  ["#4e94d6", "#286baa"],
  ["#2872b7", "#3e8cd5"],
  ["#1e5b94", "#6ba8e1"],
  ["#154470", "#9fc7ed"],
  ["#0e304f", "#cee3f6"],
  // Statuses: ../graph/node-look.ts.
  ["#0b63b8", "#5aa7f0"],
  ["#7a3ea8", "#b98be8"],
  ["#9a6700", "#e0b040"],
  ["#13724f", "#45b98a"],
  ["#b3321a", "#f08068"],
  ["#6b7280", "#969fae"],
  ["#e3f0fc", "#12304d"],
  ["#f5ebfc", "#33204a"],
  ["#fff5d6", "#3a2d08"],
  ["#e6f5ee", "#0f3527"],
  ["#fdeae5", "#451c14"],
  ["#f3f4f6", "#23272e"],
] as const;

/** The dark colour of a light one; undefined for one of somebody else. */
export const DARK: ReadonlyMap<string, string> = new Map(PAIRS);

/**
 * Returns the CSS rules of a dark theme for the colours of a picture, or of a page with `scope`
 * around its pictures.
 */
export function darkRules(markup: string, scope: string): string {
  const rules = colouredIn(markup).map(
    ([property, light, dark]) => `${scope} [${property}="${light}"]{${property}:${dark}}`,
  );
  return rules.length === 0
    ? ""
    : `@media screen and (prefers-color-scheme:dark){${rules.join("")}}`;
}

/** The same for whatever picture of ours the page will show. */
export function allDarkRules(scope: string): string {
  return darkRules(PAIRS.map(([light]) => `fill="${light}" stroke="${light}"`).join(" "), scope);
}

/**
 * Returns the style of a picture of the class `name`, which takes its colours from the page that it stands in, at once when
 * they change: from JupyterLab and what it exports, from VS Code, or where the picture is an image from the reader's system. Who
 * knows nothing of this shows the light colours. `card` has the colours that are those of the page itself.
 */
export function themeStyle(markup: string, name: string, card: readonly string[] = []): string {
  const rules = colouredIn(markup).map(([property, light, dark]) => {
    const both = `light-dark(${light},${dark})`;
    const isCard = property === "fill" && card.includes(light);
    const colour = isCard
      ? `var(--jp-layout-color0,var(--vscode-editor-background,${both}))`
      : both;
    return `[${property}="${light}"]{${property}:${colour}}`;
  });
  if (rules.length === 0) return "";
  const dark = DARK_PAGES.map((page) => `${page} .${name}`).join(",");
  return `<style>:root.${name}{color-scheme:light dark}${dark}{color-scheme:dark}.${name}{${rules.join("")}}</style>`;
}

/** JupyterLab, what nbconvert makes of a notebook, and VS Code. */
const DARK_PAGES = [
  "[data-jp-theme-light=false]",
  ".vscode-dark",
  ".vscode-high-contrast",
] as const;

/** The properties of the picture that have one of our colours, with that and the dark one. */
function colouredIn(markup: string): readonly (readonly ["fill" | "stroke", string, string])[] {
  // Once through the picture, not once for each colour.
  const there = new Set(Array.from(markup.matchAll(COLOURED), ([colour]) => colour));
  return PAIRS.flatMap(([light, dark]) =>
    (["fill", "stroke"] as const).flatMap((property) =>
      there.has(`${property}="${light}"`) ? [[property, light, dark] as const] : [],
    ),
  );
}

const COLOURED = /(?:fill|stroke)="#[\da-f]{6}"/g;
