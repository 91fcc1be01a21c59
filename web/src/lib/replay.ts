/** A hand that is over, as the parts that draw a live table need it. */
import type { HandReplay, Step } from "../api";
import type { View } from "../ui/Felt.svelte";

export function viewOf(replay: HandReplay, step: Step): View {
  const { board, pot, pots, turn } = step.state;
  const seats = step.state.seats.map((seat) => seat && { ...seat, connected: true }); // whoever is online now has nothing to do with it
  return { seats, board, pot, pots, turn, button: replay.button, you: replay.hand.seat };
}

/** What happened, in words: what led to a step. */
export function textOf(step: Step): string {
  return [step.event, ...step.also].flatMap((event) => (event?.text ? [event.text] : [])).join(" · ");
}

/** The step to show for a number from an address: inside the hand. */
export const inside = (step: number | null, replay: HandReplay): number =>
  Math.min(Math.max(step ?? 0, 0), replay.steps.length - 1);
