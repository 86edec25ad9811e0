/** Holds the scripts that draw marks over a page and take them away. */

/** Draws the marks in a closed shadow tree that takes no clicks, so that the page neither sees nor changes them. */
export const SHOW_MARKS = `(marks) => {
  const host = document.createElement("madrigal-marks");
  host.style.cssText = "all:initial;position:fixed;inset:0;pointer-events:none;z-index:2147483647";
  const tree = host.attachShadow({ mode: "closed" });
  for (const [ref, x, y, width, height] of marks) {
    const box = document.createElement("div");
    box.style.cssText = "position:fixed;box-sizing:border-box;border:2px solid #c2185b;left:" + x + "px;top:" + y + "px;width:" + width + "px;height:" + height + "px";
    const label = document.createElement("span");
    label.textContent = ref;
    label.style.cssText = "position:absolute;left:-2px;top:-2px;background:#c2185b;color:#fff;font:bold 11px/13px sans-serif;padding:0 2px";
    box.append(label);
    tree.append(box);
  }
  document.documentElement.append(host);
}`;

export const HIDE_MARKS = `document.querySelectorAll("madrigal-marks").forEach((one) => one.remove())`;
