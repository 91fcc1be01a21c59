import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { checkDeal, commitmentOf, leafOf } from "../src/lib/fair";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** A sealed deal of three cards, of which two are opened; made without the code that is tested. */
function sealed() {
  const deck = ["As", "Kd", "2c"];
  const leaves = deck.map((card, at) => sha256(`felt card 2\n${at}\n${"ab".repeat(at + 1)}\n${card}`));
  const commitment = sha256(`felt deal 2\n${leaves[0]}\n${leaves[1]}\n${leaves[2]}`);
  return { commitment, leaves, cards: [0, 2].map((at) => ({ at, card: deck[at]!, salt: "ab".repeat(at + 1) })) };
}

test("leaves and seals are the sums that the command line makes", async () => {
  const deal = sealed();
  expect(await leafOf(0, "ab", "As")).toBe(deal.leaves[0]);
  expect(await commitmentOf(deal.leaves)).toBe(deal.commitment);
});

test("an honest deal holds", async () => {
  const check = await checkDeal(sealed());
  expect(check).toEqual({ ok: true, text: "The seal holds: 3 cards were sealed before the hand, and all 2 that you may see are among them, in place." });
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
  const deal = { commitment: await commitmentOf(leaves), leaves, cards: [{ at: 0, card: "As", salt: "aa" }, { at: 1, card: "As", salt: "bb" }] };
  expect((await checkDeal(deal)).text).toBe("As lies twice in the deck: at 1 and at 2.");
});
