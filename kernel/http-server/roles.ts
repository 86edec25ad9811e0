/** Says what each role of a client may do. */

/** The right that an operation needs. */
export type Right = "read" | "run" | "answer" | "delete";

/** A role of a client. */
export type Role = "read" | "run" | "answer" | "admin";

/** The role that starts runs does not answer their questions: an approval comes from somebody else. */
export const RIGHTS: Readonly<Record<Role, readonly Right[]>> = {
  read: ["read"],
  run: ["read", "run"],
  answer: ["read", "answer"],
  admin: ["read", "run", "answer", "delete"],
};

export const ROLES = Object.keys(RIGHTS) as readonly Role[];

/** The roles that have a right, for the message to who has it not. */
export function rolesWith(right: Right): readonly Role[] {
  return ROLES.filter((role) => RIGHTS[role].includes(right));
}
