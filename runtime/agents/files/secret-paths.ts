/** Knows files that hold keys and passwords, or what people typed, by their names. */

/** Folders and files that tools reach only where a program names them as a root. */
const SECRETS: readonly RegExp[] = [
  /^\.(?:ssh|aws|azure|gnupg|kube|docker|password-store)$/,
  /^\.(?:npmrc|netrc|pypirc|pgpass|git-credentials|my\.cnf|htpasswd|vault-token)$/,
  /^_netrc$/,
  /^\.\w*_history$/,
  /^\.env(?:\.(?!example$|sample$|template$)[\w.-]+)?$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:\.\w+)?$/,
  /\.(?:pem|key|p12|pfx|jks|kdbx|keystore)$/,
  /^(?:shadow|gshadow|sudoers)$/,
  /^(?:credentials|client_secret|service[-_]account)(?:[\w.-]*)?\.json$/,
];

/** Folders whose whole content is secret, by their last two names. */
const SECRET_FOLDERS: readonly (readonly [string, string])[] = [
  [".config", "gcloud"],
  [".config", "gh"],
  [".local", "keyrings"],
  [".mozilla", "firefox"],
];

/** Tells whether a path leads to such a file, or into such a folder, whatever the case of its letters. */
export function isSecretPath(path: string): boolean {
  const parts = path
    .normalize("NFKC")
    .toLowerCase()
    .split(/[/\\]+/);
  return parts.some(
    (part, at) =>
      SECRETS.some((one) => one.test(part)) ||
      SECRET_FOLDERS.some(([above, name]) => parts[at - 1] === above && part === name),
  );
}
