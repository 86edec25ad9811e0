/** Types that are imported by their own name: what JSON has of them, and what it has not. */

export type Dict = { [position: number]: string };
export type Act = (what: string) => number;
export class Robot {
  name = "";
  start() {}
}
export type Some = [string, ...number[]];
export type Maybe = [string, number?];
export interface Bag {
  [name: string]: number;
  size: number;
}
export type Moment = Date;

export interface Node {
  next: Node | null;
}
export interface Rooted {
  root: Node;
}
export type Value = string | Value[];
export interface Menu {
  [name: string]: Menu;
}

export interface Side {
  kind: "one";
  side?: never;
  [Symbol.toStringTag]: string;
}
export class Account {
  owner = "";
  protected pin = 0;
  private key = "";
  #seed = 1;
  static read = (of: Account) => [of.pin, of.key, of.#seed];
}

export interface Listed<T> {
  items: T[];
}
// biome-ignore lint/style/noNamespace: a program may import one.
export declare namespace Space {
  type Inner = string;
}
export const amount = 1;

type Level1 = { a: Level2; b: Level2; c: Level2; d: Level2 };
type Level2 = { a: Level3; b: Level3; c: Level3; d: Level3 };
type Level3 = { a: Level4; b: Level4; c: Level4; d: Level4 };
type Level4 = { a: Level5; b: Level5; c: Level5; d: Level5 };
type Level5 = { a: Level6; b: Level6; c: Level6; d: Level6 };
type Level6 = { a: Level7; b: Level7; c: Level7; d: Level7 };
type Level7 = { a: string; b: string; c: string; d: string };
export type Huge = Level1;
