import { expect, test } from "vitest";
import type { Variant } from "../src/api";
import { choosing, FORMS, inputOf, passwordProblem } from "../src/lib/account";
import { isolated, withNames } from "../src/lib/names";
import { asked, helpOf, labelOf, numbers } from "../src/lib/stakes";

const parameter = (name: string, title: string) => ({ name, title, default: "0" });

test("a table is set up in the words of players", () => {
  const shown = (name: string, title: string) => [labelOf({ name }), helpOf({ name, title })];
  expect(shown("small_blind", "the small blind")).toEqual(["Small blind", ""]);
  expect(shown("big_blind", "the big blind, the least bet")).toEqual(["Big blind", "the least bet"]);
  expect(shown("ante", "paid by every player")).toEqual(["Ante", "paid by every player"]);
  expect(shown("big_blind_ante", "an ante that the big blind pays for all")).toEqual([
    "Big-blind ante",
    "an ante that the big blind pays for all",
  ]);
  expect(shown("bring_in", "what the player who opens must bet")[0]).toBe("Bring-in");
});

test("seats say how many play, and what is left empty stays as usual", () => {
  const kuhn = { parameters: [parameter("cards", ""), parameter("players", "")] } as unknown as Variant;
  expect(asked(kuhn).map(({ name }) => name)).toEqual(["cards"]);
  expect(numbers({ cards: "4", players: "3" }, asked(kuhn))).toEqual({ cards: 4 });
  expect(numbers({ cards: " " }, asked(kuhn))).toEqual({});
  expect(asked(null)).toEqual([]);
});

test("names that are written from right to left turn nothing round but themselves", () => {
  const name = "אבג 12";
  expect(isolated("Ada")).toBe("Ada");
  expect(withNames(`${name} raises to 24`, ["Ada", name])).toBe(`\u2068${name}\u2069 raises to 24`);
  expect(withNames("Ada. (1) calls 2", ["Ada. (1)"])).toBe("Ada. (1) calls 2");
  const longer = `${name}3`;
  expect(withNames(`${longer} wins 2; ${name} mucks`, [name, longer])).toBe(
    `\u2068${longer}\u2069 wins 2; \u2068${name}\u2069 mucks`,
  );
});

test("each form of the account has its fields, known to keepers of passwords", () => {
  expect(FORMS.recover.fields.map((field) => inputOf(field, "recover").label)).toEqual([
    "Name",
    "Recovery code",
    "New password",
  ]);
  expect(inputOf("password", "register").autocomplete).toBe("new-password");
  expect(inputOf("password", "erase").autocomplete).toBe("current-password");
  expect([choosing("register"), choosing("recover"), choosing("login")]).toEqual(["password", "fresh", null]);
  expect(passwordProblem("1234567")).toContain("8 to 200");
  expect(passwordProblem("12345678")).toBeNull();
});
