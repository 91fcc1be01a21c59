// Games, agents and known hands for the stand-in.
const game = (name, title, description, max_players = 9, structure = "no-limit", stack = 200, blinds = [1, 2]) => ({
  name,
  title,
  description,
  min_players: 2,
  max_players,
  structure,
  stack,
  blinds,
  parameters: [
    { name: "small_blind", default: String(blinds[0]), title: "Small blind" },
    { name: "big_blind", default: String(blinds[1]), title: "Big blind" },
  ],
});
export const VARIANTS = [
  game("nlhe", "No-limit Texas hold'em", "Two cards of your own, five for all, any bet", 10),
  game("limit-holdem", "Limit Texas hold'em", "Bets of one size, four to a round", 10, "limit", 400),
  game("short-deck", "Short-deck hold'em", "No cards below six: flushes beat full houses"),
  game("plo", "Pot-limit Omaha", "Four cards, of which two play", 10, "pot-limit"),
  game("omaha8", "Limit Omaha hi/lo", "The best low takes half", 10, "limit", 400),
  game("five-card-draw", "Five-card draw", "Five cards, one exchange", 6, "limit", 400),
  game("27-triple-draw", "Deuce-to-seven triple draw", "The lowest hand wins; three draws", 6, "limit", 400),
  game("badugi", "Badugi", "Four cards of four suits, low", 8, "limit", 400),
  game("stud", "Seven-card stud", "Four cards open, three closed", 8, "limit", 4000, [20, 40]),
  game("razz", "Razz", "Stud for the lowest hand", 8, "limit", 4000, [20, 40]),
  game("kuhn", "Kuhn poker", "Three cards, one bet", 2, "limit", 2, [1, 1]),
  game("leduc", "Leduc hold'em", "Six cards, two rounds", 2, "limit", 13, [1, 2]),
];
export const AGENTS = [
  {
    name: "ehs",
    title: "Mathematician",
    style: "Tight, aggressive, changeable",
    about: "Plays by expected hand strength.",
    games: null,
  },
  {
    name: "call",
    title: "Calling station",
    style: "Loose, passive, stubborn",
    about: "Checks and calls, whatever it costs.",
    games: null,
  },
  {
    name: "random",
    title: "Dice roller",
    style: "Loose, wild, unreadable",
    about: "Any move with the same chance.",
    games: null,
  },
  {
    name: "strategy:kuhn",
    title: "Solver (kuhn)",
    style: "Solved, mixed, balanced",
    about: "Plays what was solved.",
    games: ["kuhn"],
  },
];
export const DEALS = [
  {
    own: ["As", "Kd"],
    other: ["Qs", "Jh"],
    board: ["Ah", "Jc", "2d", "7s", "Kh"],
    best: 0,
    words: ["two pair, aces and kings", "a pair of jacks"],
  },
  {
    own: ["9h", "8h"],
    other: ["Tc", "Td"],
    board: ["7h", "6d", "2h", "Ts", "Kc"],
    best: 0,
    words: ["a straight, ten high", "three of a kind, tens"],
  },
  {
    own: ["Qc", "Qd"],
    other: ["5s", "5c"],
    board: ["5d", "Kh", "9c", "2s", "3d"],
    best: 1,
    words: ["a pair of queens", "three of a kind, fives"],
  },
];
export const ROUNDS = ["preflop", "flop", "turn", "river"];
export const HOLD = ["high card", "a pair", "a pair", "a pair"];

export class Refused extends Error {
  constructor(status, code, message, field = null) {
    super(message);
    Object.assign(this, { status, code, field });
  }
}
