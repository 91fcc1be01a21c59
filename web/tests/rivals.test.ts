import { expect, test } from "vitest";
import { byInterest } from "../src/lib/rivals";

test("who thinks comes first, who folds everything last, and strategies of one's own between them", () => {
  const rivals = ["fold", "random", "ehs", "strategy:leduc", "tag"].map((name) => ({ name }));
  expect(byInterest(rivals).map((rival) => rival.name)).toEqual(["tag", "ehs", "strategy:leduc", "random", "fold"]);
});
