/** Games grouped as players think of them, in each group the most played first. */
export const FAMILIES = [
  { name: "Hold'em", match: /holdem|nlhe|short-deck|preflop/ },
  { name: "Omaha", match: /plo|omaha/ },
  { name: "Draw", match: /draw|bad(ugi|acey)/ },
  { name: "Stud", match: /stud|razz|baseball|roll-your-own/ },
  { name: "More", match: /./ },
];

const FIRST = [
  "nlhe",
  "limit-holdem",
  "pot-limit-holdem",
  "short-deck",
  "plo",
  "plo8",
  "plo5",
  "five-card-draw",
  "27-triple-draw",
  "27-single-draw",
  "badugi",
  "stud",
  "razz",
  "stud8",
];

const place = (game: string): number => (FIRST.includes(game) ? FIRST.indexOf(game) : FIRST.length);

/** The first family that a game's name fits. */
export const familyOf = (game: string): string => FAMILIES.find((family) => family.match.test(game))!.name;

/** Games by family; others than the most played stay in the order in which they come. */
export const byFamily = <Game extends { name: string }>(games: Game[]): { name: string; games: Game[] }[] =>
  FAMILIES.map(({ name }) => ({
    name,
    games: games
      .filter((game) => familyOf(game.name) === name)
      .sort((one, other) => place(one.name) - place(other.name)),
  })).filter((family) => family.games.length > 0);
