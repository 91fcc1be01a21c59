import { expect, test } from "vitest";
import { checked, parsed, placed, presets, retold, said, slid } from "../src/lib/amounts";

test("amounts are said in chips or in big blinds", () => {
  expect(said(1250, "chips", 2)).toBe("1,250");
  expect(said(25, "bb", 2)).toBe("12.5 BB");
});

test("what the service says is told in the reader's unit", () => {
  expect(retold("Bo raises to 25", "bb", 2)).toBe("Bo raises to 12.5 BB");
  expect(retold("Ada wins 24 with two pair", "chips", 2)).toBe("Ada wins 24 with two pair");
  expect(retold("Hand 12: cards are dealt", "bb", 2)).toBe("Hand 12: cards are dealt");
});

test.each([
  ["24", "chips", 24],
  [" 1,250 ", "chips", 1250],
  ["1 250", "chips", 1250],
  ["12.5", "bb", 25],
  ["12,5", "bb", 25],
  ["12.5 bb", "bb", 25],
  ["", "chips", null],
  ["ten", "chips", null],
  ["-5", "chips", null],
  ["1e9", "chips", null],
  ["0x10", "chips", null],
  ["99999999999999999999", "chips", null],
] as const)("%j in %s is %s chips", (text, unit, chips) => {
  expect(parsed(text, unit, 2)).toBe(chips);
});

test("a wrong amount is answered with what is allowed", () => {
  const range = { least: 8, most: 188 };
  expect(checked("24", "chips", 2, range)).toEqual({ chips: 24, problem: null });
  expect(checked("many", "chips", 2, range).problem).toBe("“many” is not a number. Give an amount between 8 and 188.");
  expect(checked("500", "chips", 2, range).problem).toBe("500 is too much. Give an amount between 8 and 188.");
  expect(checked("1", "bb", 2, range).problem).toBe("1 BB is too little. Give an amount between 4 BB and 94 BB.");
  expect(checked("-400", "chips", 2, range).problem).toBe("“-400” is too little. Give an amount between 8 and 188.");
  expect(checked(" ", "chips", 2, range).problem).toBe("No amount is given. Give an amount between 8 and 188.");
  expect(checked("9", "chips", 2, { least: 8, most: 8 }).problem).toContain("The only amount here is 8.");
});

test("each preset keeps its place, whichever are allowed", () => {
  const legal = { fold: true, call: 6, raise_to: { least: 30, most: 200 }, exchange: null };
  const told = [
    { label: "½ pot", amount: 27 },
    { label: "pot", amount: 42 },
    { label: "all-in", amount: 200 },
  ];
  expect(presets({ legal, presets: told })).toEqual([
    { label: "½ pot", amount: null }, // less than the least raise
    { label: "⅔ pot", amount: null },
    { label: "Pot", amount: 42 },
    { label: "All-in", amount: 200 },
  ]);
  expect(presets({ legal: null, presets: told }).map((preset) => preset.amount)).toEqual([null, null, null, null]);
});

test("the slider reaches both ends and comes back", () => {
  const range = { least: 8, most: 188 };
  expect(slid(0, range)).toBe(8);
  expect(slid(1000, range)).toBe(188);
  expect(slid(placed(60, range), range)).toBe(60);
  expect(placed(8, { least: 8, most: 8 })).toBe(1000);
});
