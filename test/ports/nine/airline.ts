/** The tools of an airline: what only reads has no effect, what books is external. */
import { tool } from "madrigal";

export const findUser = (passenger: string) => `passenger ${passenger}, ticket T1, flight LX0112`;

const reads = { effect: "none" } as const;
const books = { effect: "external" } as const;

export const flights = {
  /** Lists the flights of a day. */
  search: tool((day: string) => [`LX0114 on ${day}`], reads),
  /** Puts a ticket on another flight. */
  update: tool((ticket: string, flight: string) => `${ticket} is on ${flight}`, books),
  /** Cancels a ticket. */
  cancel: tool((ticket: string) => `${ticket} is cancelled`, books),
};

export const bookings = {
  /** Looks a rule of the airline up. */
  policy: tool((about: string) => `the rule on ${about}: one suitcase`, reads),
};

export const cars = {
  /** Lists cars at a place. */
  search: tool((place: string) => [`C1 in ${place}`], reads),
  /** Books a car. */
  book: tool((car: string) => `${car} is booked`, books),
};

export const hotels = {
  /** Lists hotels at a place. */
  search: tool((place: string) => [`H1 in ${place}`], reads),
  /** Books a hotel. */
  book: tool((hotel: string) => `${hotel} is booked`, books),
};

export const excursions = {
  /** Lists excursions at a place. */
  search: tool((place: string) => [`E1 in ${place}`], reads),
  /** Books an excursion. */
  book: tool((excursion: string) => `${excursion} is booked`, books),
};
