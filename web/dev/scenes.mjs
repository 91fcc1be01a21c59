// Still tables to look at: each is one State, at an address such as #/table/scene-six.

const table = (id, game, title, seats, more = {}) => ({
  id,
  game,
  title,
  seats,
  taken: seats,
  people: ["Ada"],
  agents: ["ehs", "call"],
  tournament: false,
  stack: 200,
  blinds: [1, 2],
  big_blind: 2,
  hands: 12,
  private: false,
  invite: null,
  hands_per_level: 0,
  time_limit: 15,
  time_bank: 30,
  parameters: {},
  open_cards: false,
  owner: false,
  pace: { paused: false, move_seconds: 0.6, hand_seconds: 4 },
  ...more,
});
const NAMES = ["Ada", "Bo", "Céline", "Dmitri", "Expected hand strength", "Fatima", "Guo", "Hana", "Ivo", "Jun"];
const person = (seat, more = {}) => ({
  seat,
  name: NAMES[seat],
  agent: seat % 2 ? "ehs" : null,
  stack: 200 - 7 * seat,
  bet: 0,
  folded: false,
  all_in: false,
  in_hand: true,
  away: false,
  leaving: false,
  cards: [],
  hidden: 2,
  up: [],
  last: null,
  won: 0,
  connected: true,
  ...more,
});
const state = (info, seats, more = {}) => ({
  table: info,
  seq: 5,
  you: 0,
  hand_id: `${info.id}-12`,
  hand: 12,
  step: 4,
  playing: true,
  button: 1,
  round: "flop",
  street: 1,
  board: ["Qs", "Jh", "2h"],
  pot: 46,
  pots: [{ chips: 46, seats: [0, 1] }],
  seats,
  turn: 0,
  deadline_ms: 11_000,
  bank_ms: 30_000,
  legal: { fold: true, call: 12, raise_to: { least: 24, most: 188 }, exchange: null },
  presets: [
    { label: "½ pot", amount: 41 },
    { label: "⅔ pot", amount: 51 },
    { label: "pot", amount: 70 },
    { label: "all-in", amount: 188 },
  ],
  hold: "ace high",
  result: null,
  level: 0,
  hands_left: null,
  winner: null,
  deal: { commitment: "9b74c9897bac770ffc029102a200c5de" },
  log: [
    "Hand 12: cards are dealt",
    "Bo calls 2",
    "Ada raises to 8",
    "Bo calls 6",
    "flop: Qs Jh 2h",
    "Ada checks",
    "Bo bets 12",
  ],
  ...more,
});

const many = (count) =>
  Array.from({ length: count }, (_, seat) =>
    person(
      seat,
      [
        { cards: ["As", "Kd"], stack: 176, bet: 12, last: "raises to 12" },
        { bet: 24, last: "raises to 24" },
        { folded: true, last: "folds" },
        { bet: 24, last: "calls 24" },
        { stack: 0, all_in: true, bet: 60 },
        { away: true, in_hand: false, hidden: 0 },
      ][seat] ?? { bet: 24, last: "calls 24" },
    ),
  );

const stud = [
  person(0, { stack: 3840, cards: ["As", "Ad", "Kc", "7h", "2d"], hidden: 2, up: ["Kc", "7h", "2d"], bet: 40 }),
  person(1, { stack: 3900, up: ["Qh", "Js", "9c"], bet: 40 }),
  person(2, { stack: 4000, folded: true }),
  person(3, { stack: 3780, up: ["8d", "8s", "3c"], bet: 80 }),
];

export const scenes = {
  "scene-two": state(table("scene-two", "nlhe", "No-limit Texas hold'em", 2), many(2)),
  "scene-six": state(table("scene-six", "nlhe", "No-limit Texas hold'em", 6), many(6), {
    pot: 156,
    pots: [
      { chips: 120, seats: [0, 1, 3, 4] },
      { chips: 36, seats: [0, 1, 3] },
    ],
  }),
  "scene-ten": state(table("scene-ten", "nlhe", "No-limit Texas hold'em", 10), many(10), {
    board: ["Qs", "Jh", "2h", "Td", "9c"],
    hold: "a straight, ace high",
  }),
  "scene-showdown": state(
    table("scene-showdown", "nlhe", "No-limit Texas hold'em", 6),
    [
      person(0, { cards: ["As", "Kd"], won: 156 }),
      person(1, { cards: ["Qh", "Jc"] }),
      person(2, { folded: true }),
      null,
      person(4, { cards: ["Th", "9h"] }),
      person(5, { folded: true }),
    ],
    {
      board: ["Qs", "Jh", "2h", "Td", "4c"],
      turn: -1,
      legal: null,
      deadline_ms: null,
      playing: false,
      hold: "a straight, ace high",
      result: {
        text: "Ada wins 156 with a straight, ace high, against two pair, queens and jacks",
        payoffs: [100, -50, 0, 0, -50, 0],
      },
    },
  ),
  "scene-draw": state(
    table("scene-draw", "five-card-draw", "Five-card draw", 4),
    [
      person(0, { cards: ["As", "Ad", "9c", "7h", "2d"] }),
      ...[1, 2, 3].map((seat) => person(seat, { hidden: 5, last: ["", "draws 3", "stands pat", "draws 1"][seat] })),
    ],
    {
      board: [],
      round: "draw",
      legal: { fold: false, call: null, raise_to: null, exchange: { what: "draw", least: 0, most: 3 } },
      hold: "a pair of aces",
    },
  ),
  "scene-stud": state(table("scene-stud", "stud", "Seven-card stud", 4, { blinds: [], big_blind: 40 }), stud, {
    board: [],
    round: "fifth street",
    legal: { fold: true, call: 40, raise_to: { least: 120, most: 120 }, exchange: null },
    hold: "a pair of aces",
  }),
  "scene-over": state(
    table("scene-over", "nlhe", "No-limit Texas hold'em", 2, { tournament: true }),
    [person(0, { stack: 400, hidden: 0 }), person(1, { stack: 0, in_hand: false, hidden: 0 })],
    {
      board: [],
      turn: -1,
      legal: null,
      deadline_ms: null,
      playing: false,
      pot: 0,
      pots: [],
      winner: 0,
      hold: null,
      level: 2,
      result: null,
    },
  ),
  "scene-watch": state(
    table("scene-watch", "nlhe", "No-limit Texas hold'em", 4),
    [person(0, { bet: 6 }), null, person(2), null],
    { you: -1, legal: null, hold: null, turn: 2 },
  ),
  "scene-bank": state(table("scene-bank", "nlhe", "No-limit Texas hold'em", 3), many(3), {
    deadline_ms: 0,
    bank_ms: 22_000,
  }),
  "scene-lost": state(
    table("scene-lost", "nlhe", "No-limit Texas hold'em", 2),
    [person(0, { stack: 0, in_hand: false, hidden: 0 }), person(1, { stack: 400, in_hand: false, hidden: 0 })],
    { board: [], turn: -1, legal: null, deadline_ms: null, playing: false, pot: 0, pots: [], hold: null, result: null },
  ),
  "scene-out": state(
    table("scene-out", "nlhe", "No-limit Texas hold'em", 3, { tournament: true, hands_per_level: 10 }),
    [person(0, { stack: 0, in_hand: false, hidden: 0 }), person(1), person(2)],
    { turn: 1, legal: null, hold: null, level: 3, hands_left: 4 },
  ),
  "scene-agents": state(
    table("scene-agents", "nlhe", "No-limit Texas hold'em", 6, {
      people: [],
      agents: Array(6).fill("ehs"),
      owner: true,
      open_cards: true,
      pace: { paused: true, move_seconds: 0.6, hand_seconds: 4 },
    }),
    ["AsKd", "QhJc", "7d7c", "Th9h", "4s4d", "Ac5c"].map((cards, seat) =>
      person(seat, { agent: "ehs", cards: [cards.slice(0, 2), cards.slice(2)] }),
    ),
    { you: -1, legal: null, hold: null, turn: 2, deadline_ms: null },
  ),
};
