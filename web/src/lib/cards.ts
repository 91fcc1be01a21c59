/** Cards as they are written (`As`, `Td`) and as they are said. */

export type Suit = "s" | "h" | "d" | "c";

const RANKS: Record<string, string> = {
  A: "ace",
  K: "king",
  Q: "queen",
  J: "jack",
  T: "ten",
  "9": "nine",
  "8": "eight",
  "7": "seven",
  "6": "six",
  "5": "five",
  "4": "four",
  "3": "three",
  "2": "two",
};
const SUITS: Record<Suit, string> = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };

/** Drawn in a box of 100 by 100. */
export const SHAPES: Record<Suit, string> = {
  s: "M50 6C66 28 92 42 92 62C92 75 83 83 72 83C64 83 57 79 54 72C55 82 59 90 66 95L34 95C41 90 45 82 46 72C43 79 36 83 28 83C17 83 8 75 8 62C8 42 34 28 50 6Z",
  h: "M50 91C20 65 8 49 8 32C8 18 18 9 29 9C38 9 46 14 50 23C54 14 62 9 71 9C82 9 92 18 92 32C92 49 80 65 50 91Z",
  d: "M50 4C58 22 72 38 86 50C72 62 58 78 50 96C42 78 28 62 14 50C28 38 42 22 50 4Z",
  c: "M29 27a21 21 0 1 0 42 0a21 21 0 1 0-42 0ZM6 59a21 21 0 1 0 42 0a21 21 0 1 0-42 0ZM52 59a21 21 0 1 0 42 0a21 21 0 1 0-42 0ZM43 38V66H57V38ZM50 50C52 75 57 88 66 95L34 95C43 88 48 75 50 50Z",
};

/** Rank and suit of a card; null for a joker. */
export function faceOf(card: string): { rank: string; suit: Suit } | null {
  const rank = card.charAt(0);
  const suit = card.charAt(1);
  return rank in RANKS && suit in SUITS ? { rank: rank === "T" ? "10" : rank, suit: suit as Suit } : null;
}

/** "ace of spades". */
export function spoken(card: string): string {
  const face = faceOf(card);
  return face ? `${RANKS[card.charAt(0)]} of ${SUITS[face.suit]}` : "joker";
}

/** The cards of a seat that lie face down to this viewer, those it may see of them, and the open ones. */
export function sorted(seat: { cards: string[]; hidden: number; up: string[] }): {
  own: string[];
  backs: number;
  up: string[];
} {
  const own = seat.cards.filter((card) => !seat.up.includes(card));
  return { own, backs: own.length ? 0 : seat.hidden, up: seat.up };
}
