import { expect, test } from "vitest";
import type { HandReplay, Stat } from "../src/api";
import { drawn, ticksOf, told } from "../src/lib/graph";
import { nameProblem } from "../src/lib/names";
import { inside, textOf } from "../src/lib/replay";
import { hashOf, routeOf, type Route } from "../src/lib/routes";
import { countOf, line, signed, valueOf } from "../src/lib/statistics";

test.each<[string, Route]>([
  ["#/", { at: "lobby" }],
  ["#/table/b0Yf-1", { at: "table", table: "b0Yf-1", invite: null }],
  ["#/table/t%2F1?invite=a+b%26c", { at: "table", table: "t/1", invite: "a b&c" }],
  ["#/hands?game=nlhe&table=t1", { at: "hands", table: "t1", game: "nlhe" }],
  ["#/hand/t1-12?step=3&cards=all", { at: "hand", hand: "t1-12", step: 3, cards: "all" }],
  ["#/statistics", { at: "statistics" }],
])("%s is read and written", (hash, route) => {
  expect(routeOf(hash)).toEqual(route);
  expect(hashOf(route)).toBe(hash);
});

test("addresses that nobody wrote lead to the lobby", () => {
  for (const hash of ["", "#", "#/nowhere", "#/table/", "#/table/%E0%A4%A"])
    expect(routeOf(hash)).toEqual({ at: "lobby" });
  expect(routeOf("#/hand/t1-1?step=-4&cards=none")).toEqual({ at: "hand", hand: "t1-1", step: null, cards: "mine" });
});

test.each([
  ["Ada", null],
  ["  Ada  Lovelace ", null],
  ["<script>alert(1)</script>", "This name is too long: 24 characters at most."],
  ["'; drop table --", null],
  ["", "Give a name: 1 to 24 characters."],
  ["   ", "Give a name: 1 to 24 characters."],
  ["Ada: the first", "A name cannot have a “:” in it."],
  ["x".repeat(25), "This name is too long: 24 characters at most."],
  ["🂡".repeat(24), null],
  ["a\u202eb", "A name cannot have invisible characters in it."],
])("the name %j: %s", (name, problem) => {
  expect(nameProblem(name)).toBe(problem);
});

const stat = (key: string, value: number | null, unit: Stat["unit"] = "%"): Stat => ({
  key,
  title: key,
  help: "",
  value,
  count: 3,
  of: 10,
  unit,
});

test("statistics are short at the seat and full beside it", () => {
  const stats = [
    stat("vpip", 0.274),
    stat("pfr", 0.18),
    stat("three_bet", null),
    stat("af", 2.06, "ratio"),
    stat("wtsd", 0.31),
    stat("cbet", 0.5),
  ];
  expect(line(stats, "wide")).toBe("27/18/– · 2.1 · 31");
  expect(line(stats, "narrow")).toBe("27/18");
  expect(valueOf(stats[0]!)).toBe("27%");
  expect(countOf(stats[0]!)).toBe("3 of 10");
  expect(countOf(stats[3]!)).toBe("3 to 10");
  expect([signed(1200), signed(-5), signed(0)]).toEqual(["+1,200", "−5", "0"]);
});

test("the graph begins at nothing and ends at what was won", () => {
  const line = drawn(
    [
      { n: 1, value: -10 },
      { n: 2, value: 30 },
    ],
    { width: 100, height: 40 },
  );
  expect(line.path).toBe("M0 30L50 40L100 0");
  expect(line.zero).toBe(30);
  expect(line.last).toEqual({ x: 100, y: 0 });
  expect(line.ticks.map((tick) => tick.value)).toEqual([-10, 0, 10, 20, 30]);
  expect(drawn([{ n: 1, value: 0 }], { width: 100, height: 40 }).path).not.toContain("NaN");
});

test("a graph has at most six round ticks", () => {
  for (const [low, high] of [
    [-7, 3],
    [0, 1],
    [-123_456, 9],
    [0.5, 2.25],
  ] as const) {
    expect(ticksOf(low, high).length).toBeLessThanOrEqual(6);
    for (const tick of ticksOf(low, high)) expect(tick >= low && tick <= high).toBe(true);
  }
});

test("the graph is told in words", () => {
  expect(told([], "chips")).toBe("No hands yet.");
  expect(
    told(
      [
        { n: 1, value: 5 },
        { n: 4, value: -20 },
      ],
      "chips",
    ),
  ).toBe("20 chips lost over 4 hands; highest 5 chips, lowest -20 chips.");
});

test("steps of a hand stay inside it", () => {
  const event = (text: string) => ({ kind: "move", seat: 0, text });
  const steps = [
    { decision: {} },
    { decision: null },
    { decision: {} },
    { decision: null, event: event("Bo calls 2"), also: [event("flop: 2c 3c 4c")] },
  ];
  const replay = { steps } as unknown as HandReplay;
  expect([inside(null, replay), inside(99, replay), inside(-1, replay)]).toEqual([0, 3, 0]);
  expect(textOf(replay.steps[3]!)).toBe("Bo calls 2 · flop: 2c 3c 4c");
});
