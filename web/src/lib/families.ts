/** Games grouped as players think of them. */
export const FAMILIES = [
  { name: "Hold'em", match: /holdem|nlhe|short-deck|preflop/ },
  { name: "Omaha", match: /plo|omaha/ },
  { name: "Draw", match: /draw|bad(ugi|acey)/ },
  { name: "Stud", match: /stud|razz|baseball/ },
  { name: "More", match: /./ },
];

/** The first family that a game's name fits. */
export const familyOf = (game: string): string => FAMILIES.find((family) => family.match.test(game))!.name;
