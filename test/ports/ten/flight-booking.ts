/** The page of a shop for flights, and its till. */
interface Flight {
  kind: string;
  flight?: { number: string };
}

interface Seat {
  kind: string;
  row?: number;
  seat?: string;
}

export const loadPage = () => "AK123 from SFO to ANC on 2025-01-10 for 350 $, LA101 for 250 $";
export const buy = (found: Flight, seat: Seat) =>
  `${found.flight?.number}, seat ${seat.row}${seat.seat}`;
