/** Lets a person choose or drop files, and sends them to the kernel in pieces. */
import { asking, part } from "./place.js";

/** Bytes of a piece: a server of Jupyter takes messages of 10 MB, and others of 1 MB; as text a piece is a third longer. */
const PIECE_BYTES = 512 * 1024;

/** A field for one file or for several, and what sends them as the answer. */
export function filePicker({ model, isSeveral, bytesMax }) {
  const el = part(
    "div",
    "flex-basis:100%;display:flex;flex-wrap:wrap;align-items:center;gap:.5em;padding:.5em;border:1px dashed var(--jp-border-color1,currentColor);border-radius:3px",
  );
  const input = part("input", "");
  input.type = "file";
  input.multiple = isSeveral;
  input.setAttribute("aria-label", isSeveral ? "files" : "file");
  const note = part("span", "opacity:.7", isSeveral ? "or drop files here" : "or drop a file here");
  note.setAttribute("role", "status");
  el.append(input, note);
  let chosen = [];
  const choose = (files) => {
    chosen = isSeveral ? [...files] : [...files].slice(0, 1);
    note.textContent = chosen.map(({ name, size }) => `${name} (${sizeText(size)})`).join(", ");
  };
  input.addEventListener("change", () => choose(input.files));
  el.addEventListener("dragover", (event) => event.preventDefault());
  el.addEventListener("drop", (event) => {
    event.preventDefault();
    // JupyterLab would open the file.
    event.stopPropagation();
    choose(event.dataTransfer.files);
  });
  const ask = asking(model);
  let isSending = false;
  const send = async () => {
    if (isSending) return;
    isSending = true;
    try {
      note.textContent = await sent(chosen, {
        ask,
        bytesMax,
        show: (text) => (note.textContent = text),
      });
    } finally {
      isSending = false;
    }
  };
  return { el, send, end: () => ask.end() };
}

/** Sends the files, one piece after the other; resolves with what the person is told then. */
async function sent(files, { ask, bytesMax, show }) {
  const total = files.reduce((sum, { size }) => sum + size, 0);
  if (files.length === 0) return "Choose a file first.";
  if (total > bytesMax)
    return `M5317: ${sizeText(total)} are too much; an answer has at most ${sizeText(bytesMax)}.`;
  // A page that comes over plain HTTP from another machine has no `randomUUID`.
  const upload = String(crypto.getRandomValues(new Uint32Array(2)));
  let done = 0;
  for (const [index, file] of files.entries()) {
    let at = 0;
    do {
      const piece = file.slice(at, at + PIECE_BYTES);
      const data = await base64Of(piece).catch(() => undefined);
      if (data === undefined)
        return `M5317: ${file.name} can't be read. A folder can be given as an archive.`;
      const { fault } = await ask({ piece: { upload, index, name: file.name, at, data } });
      if (fault) return fault;
      at += piece.size;
      done += piece.size;
      show(`${file.name}: ${Math.round((100 * done) / Math.max(total, 1))} % sent`);
    } while (at < file.size);
  }
  const { fault } = await ask({ uploaded: { upload, count: files.length } });
  return fault ?? "";
}

function base64Of(blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(",") + 1));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

function sizeText(bytes) {
  if (bytes < 1024) return `${bytes} bytes`;
  const isSmall = bytes < 1024 * 1024;
  return isSmall ? `${Math.ceil(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
