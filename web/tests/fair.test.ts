import { expect, test } from "vitest";
import { checkDeal, commitmentOf, leafOf } from "../src/lib/fair";

/** A sealed deal of As Kd 2c, of which the first and the last are opened; its sums were made by Python's hashlib. */
const sealed = () => ({
  commitment: "a48889419050866ffbf4eb43950b64eb69a545e4bb17144e1f92f244f37a3205",
  leaves: [
    "1f05446a9b27fe45e93f84fa9fa2a7bccc3a824fc3cc9055046e2ee2f3ac41bb",
    "eccdf79dc52836c93efa1842a0e83891774c2d2d60c50af82b91f355439dff44",
    "99e424b229063883a256dc522885be673d3c636fd33ca8c26bf7fc7feab7e5a2",
  ],
  cards: [
    { at: 0, card: "As", salt: "ab" },
    { at: 2, card: "2c", salt: "ababab" },
  ],
});

test("leaves and seals are the sums that the command line makes", async () => {
  const deal = sealed();
  expect(await leafOf(0, "ab", "As")).toBe(deal.leaves[0]);
  expect(await commitmentOf(deal.leaves)).toBe(deal.commitment);
});

test("an honest deal holds", async () => {
  const check = await checkDeal(sealed());
  expect(check).toEqual({
    ok: true,
    text: "The seal holds: 3 cards were sealed before the hand, and all 2 that you may see are among them, in place.",
  });
});

test("another card, another salt, another place, another seal: each is found", async () => {
  const wrong = [
    { ...sealed(), cards: [{ at: 0, card: "Ah", salt: "ab" }] },
    { ...sealed(), cards: [{ at: 0, card: "As", salt: "ac" }] },
    { ...sealed(), cards: [{ at: 1, card: "As", salt: "ab" }] },
    { ...sealed(), cards: [{ at: 7, card: "As", salt: "ab" }] },
    { ...sealed(), leaves: [...sealed().leaves].reverse() },
    { ...sealed(), commitment: "00" },
  ];
  for (const deal of wrong) expect((await checkDeal(deal)).ok).toBe(false);
  expect((await checkDeal(sealed(), "11")).text).toContain("not the seal that was shown");
});

test("a card that lies twice in the deck is found", async () => {
  const leaves = [await leafOf(0, "aa", "As"), await leafOf(1, "bb", "As")];
  const deal = {
    commitment: await commitmentOf(leaves),
    leaves,
    cards: [
      { at: 0, card: "As", salt: "aa" },
      { at: 1, card: "As", salt: "bb" },
    ],
  };
  expect((await checkDeal(deal)).text).toBe("As lies twice in the deck: at 1 and at 2.");
});
