/** Signs the four dicts of a wire message, as bytes: a message is checked before any of it is parsed. */
import { createHmac, timingSafeEqual } from "node:crypto";

export interface Signer {
  /** Hexadecimal; empty when there is no key. Text is signed as UTF-8. */
  sign(dicts: readonly (string | Uint8Array)[]): string;
  /** Without a key everything is right. Takes equally long whatever is wrong. */
  isRight(signature: Uint8Array, dicts: readonly Uint8Array[]): boolean;
}

/** HMAC-SHA256 by the connection file's key; an empty key means that nothing is signed. Buffers are not signed. */
export function createSigner(key: string): Signer {
  if (key === "") return { sign: () => "", isRight: () => true };
  const sign: Signer["sign"] = (dicts) => {
    const hmac = createHmac("sha256", key);
    for (const dict of dicts) hmac.update(dict);
    return hmac.digest("hex");
  };
  return {
    sign,
    isRight: (signature, dicts) => {
      const wanted = Buffer.from(sign(dicts));
      return signature.length === wanted.length && timingSafeEqual(signature, wanted);
    },
  };
}
