/** Sealed deals, checked here and not by whoever dealt: the same sums as `felt verify-deal`. */
import type { OpenedDeal } from "../api";
import { faceOf } from "./cards";

export interface DealCheck {
  ok: boolean;
  /** What was checked or what is wrong, in one line. */
  text: string;
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export const leafOf = (at: number, salt: string, card: string): Promise<string> =>
  sha256(`felt card 2\n${at}\n${salt}\n${card}`);
export const commitmentOf = (leaves: string[]): Promise<string> => sha256(`felt deal 2\n${leaves.join("\n")}`);

/** Whether the leaves give the commitment, the opened cards their leaves, and no card lies twice in the deck. */
export async function checkDeal(deal: OpenedDeal, shown: string | null = null): Promise<DealCheck> {
  if (!globalThis.crypto?.subtle)
    return {
      ok: false,
      text: "This browser can check deals only over HTTPS or on the machine of the service. The command below checks it anywhere.",
    };
  if (shown !== null && shown !== deal.commitment)
    return { ok: false, text: "This is not the seal that was shown before the hand." };
  if ((await commitmentOf(deal.leaves)) !== deal.commitment)
    return { ok: false, text: "The sealed cards do not give the seal." };
  const seen = new Map<string, number>();
  for (const { at, card, salt } of deal.cards) {
    if (deal.leaves[at] === undefined || (await leafOf(at, salt, card)) !== deal.leaves[at])
      return { ok: false, text: `Card ${at + 1} (${card}) is not the one that was sealed.` };
    if (seen.has(card) && faceOf(card))
      return { ok: false, text: `${card} lies twice in the deck: at ${seen.get(card)! + 1} and at ${at + 1}.` };
    seen.set(card, at);
  }
  const opened = deal.cards.length;
  return {
    ok: true,
    text: `The seal holds: ${deal.leaves.length} cards were sealed before the hand, and ${opened === 1 ? "the one" : `all ${opened}`} that you may see ${opened === 1 ? "is" : "are"} among them, in place.`,
  };
}
