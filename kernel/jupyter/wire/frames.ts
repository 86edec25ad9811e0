/** Converts frames of ZeroMQ to a wire message and back: `[identity …, <IDS|MSG>, signature, 4 dicts, buffer …]`. */
import { isRecord } from "../../is-record.ts";
import type { Header, ParentHeader, WireMessage } from "./message.ts";
import type { ReplayGuard } from "./replay-guard.ts";
import { createSigner } from "./signature.ts";

/** The reason why frames are not an acceptable message. */
export type Rejection =
  | "no delimiter"
  | "too many identities"
  | "too few frames"
  | "too large"
  | "wrong signature"
  | "replayed"
  | "not JSON"
  | "wrong shape";

export type Decoded =
  | { readonly ok: true; readonly message: WireMessage }
  | { readonly ok: false; readonly reason: Rejection };

/**
 * A frame to send. Text stays text: zeromq.js lends ZeroMQ the bytes of a Buffer over 128 bytes and takes them back in the
 * thread that sent it; when that thread has ended in the meantime, taking back corrupts the heap. Strings are copied. So
 * whoever sends a Buffer of more (a comm's) does not let its thread end before ZeroMQ has given it back: channels.ts.
 */
export type WireFrame = string | Buffer;

export interface Codec {
  encode(message: WireMessage): WireFrame[];
  /** Never throws. The signature is checked before anything is parsed. */
  decode(frames: readonly Uint8Array[]): Decoded;
}

/** Stands between the identities and the message. */
export const DELIMITER = Buffer.from("<IDS|MSG>");
const DICTS = 4;
// Headers and identities are small by nature; contents hold whole cells and outputs.
const IDENTITIES_MAX = 16;
const HEADER_BYTES_MAX = 65_536;
const CONTENT_BYTES_MAX = 256 * 1024 * 1024;

/** The codec of one connection. With `replays` a message is taken only once, if there is a key. */
export function createCodec(
  key: string,
  { replays }: { readonly replays?: ReplayGuard } = {},
): Codec {
  const signer = createSigner(key);
  const isReplayed = (signature: Uint8Array) =>
    key !== "" &&
    replays !== undefined &&
    !replays.isNew(Buffer.from(signature).toString("latin1"));
  return {
    encode(message) {
      const { header, parent, metadata, content } = message;
      const dicts = [header, parent, metadata, content].map((dict) => JSON.stringify(dict));
      return [
        ...message.identities.map(toBuffer),
        DELIMITER,
        signer.sign(dicts),
        ...dicts,
        ...message.buffers.map(toBuffer),
      ];
    },
    decode(frames) {
      const parts = split(frames);
      if (typeof parts === "string") return rejected(parts);
      const { signature, dicts } = parts;
      if (!signer.isRight(signature, dicts)) return rejected("wrong signature");
      if (isReplayed(signature)) return rejected("replayed");
      return parse(parts);
    },
  };
}

function rejected(reason: Rejection): Decoded {
  return { ok: false, reason };
}

/** Returns whether zeromq.js lends the bytes of this frame to ZeroMQ instead of copying them. */
export function isLent(frame: WireFrame): boolean {
  return typeof frame !== "string" && frame.byteLength > 128;
}

/** The same bytes, not a copy of them. */
function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

interface MessageParts {
  readonly identities: readonly Uint8Array[];
  readonly signature: Uint8Array;
  readonly dicts: readonly Uint8Array[];
  readonly buffers: readonly Uint8Array[];
}

function split(frames: readonly Uint8Array[]): MessageParts | Rejection {
  const at = frames.findIndex((frame) => DELIMITER.equals(frame));
  const signature = frames[at + 1];
  const dicts = frames.slice(at + 2, at + 2 + DICTS);
  if (at < 0) return "no delimiter";
  if (at > IDENTITIES_MAX) return "too many identities";
  if (signature === undefined || dicts.length < DICTS) return "too few frames";
  if (dicts.some(isTooLarge)) return "too large";
  return {
    identities: frames.slice(0, at),
    signature,
    dicts,
    buffers: frames.slice(at + 2 + DICTS),
  };
}

/** The first two dicts are headers. */
function isTooLarge({ byteLength }: Uint8Array, index: number): boolean {
  return byteLength > (index < 2 ? HEADER_BYTES_MAX : CONTENT_BYTES_MAX);
}

function parse({ identities, dicts, buffers }: MessageParts): Decoded {
  const [header, parent, metadata, content] = dicts.map(parseJson);
  if ([header, parent, metadata, content].includes(undefined)) return rejected("not JSON");
  if (!isHeader(header) || !isParent(parent) || !isRecord(metadata) || !isRecord(content)) {
    return rejected("wrong shape");
  }
  return { ok: true, message: { identities, header, parent, metadata, content, buffers } };
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(toBuffer(bytes).toString());
  } catch {
    return undefined;
  }
}

/** Only what is read here is asked for: clients are careless with the rest. */
function isHeader(value: unknown): value is Header {
  return isRecord(value) && typeof value.msg_id === "string" && typeof value.msg_type === "string";
}

function isParent(value: unknown): value is ParentHeader {
  return isRecord(value) && (Object.keys(value).length === 0 || isHeader(value));
}
