import { expect, test } from "vitest";
import { byFamily } from "../src/lib/families";

test("the most played game of a family comes first, and families without games are left out", () => {
  const games = ["cap-holdem", "limit-holdem", "nlhe", "preflop-limit", "kuhn", "plo5", "plo"].map((name) => ({
    name,
  }));
  expect(byFamily(games).map((family) => [family.name, family.games.map((game) => game.name)])).toEqual([
    ["Hold'em", ["nlhe", "limit-holdem", "cap-holdem", "preflop-limit"]],
    ["Omaha", ["plo", "plo5"]],
    ["More", ["kuhn"]],
  ]);
});
