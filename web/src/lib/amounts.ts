/** Amounts of chips: how they are said, read and proposed. Chips are whole numbers; big blinds are only a way to say them. */
import type { Preset, State } from "../api";

export type Unit = "chips" | "bb";

/** A text with its first letter large. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** "1 hand", "2 hands". */
export const counted = (number: number, what: string): string =>
  `${number.toLocaleString("en-US")} ${what}${number === 1 ? "" : "s"}`;

/** An amount as people read it: "1,250", or "12.5 BB". */
export function said(chips: number, unit: Unit, bigBlind: number): string {
  return unit === "bb" && bigBlind > 0 ? `${plain(chips, unit, bigBlind)} BB` : chips.toLocaleString("en-US");
}

/** An amount as it stands in the field for it: no separators, no unit. */
export function plain(chips: number, unit: Unit, bigBlind: number): string {
  if (unit === "chips" || bigBlind <= 0) return String(chips);
  return String(Math.round((chips / bigBlind) * 100) / 100);
}

/** A line of the service ("Bo raises to 24"), its amounts in the unit that the reader likes. */
export function retold(text: string, unit: Unit, bigBlind: number): string {
  if (unit === "chips") return text;
  return text.replace(
    /\b(to|bets|calls|posts|wins|collects) (\d+)\b/g,
    (_, verb: string, chips: string) => `${verb} ${said(Number(chips), unit, bigBlind)}`,
  );
}

/** The chips that somebody typed, to the nearest one; null for what is no number. */
export function parsed(text: string, unit: Unit, bigBlind: number): number | null {
  const digits = text
    .trim()
    .replace(/\s*(bb|chips)$/i, "")
    .replace(/[\s'’_]|[.,](?=\d{3}(\D|$))/g, (found) => (found === "." ? "." : ""))
    .replace(",", ".");
  if (!/^(\d+\.?\d*|\.\d+)$/.test(digits)) return null;
  const value = Number(digits) * (unit === "bb" ? bigBlind : 1);
  return Number.isSafeInteger(Math.round(value)) ? Math.round(value) : null;
}

export type Checked = { chips: number; problem: null } | { chips: null; problem: string };

/** What was typed as a raise: the chips, or one line on what is wrong with it. */
export function checked(text: string, unit: Unit, bigBlind: number, range: { least: number; most: number }): Checked {
  const chips = parsed(text, unit, bigBlind);
  const { least, most } = range;
  const between =
    least === most
      ? `The only amount here is ${said(least, unit, bigBlind)}.`
      : `Give an amount between ${said(least, unit, bigBlind)} and ${said(most, unit, bigBlind)}.`;
  if (chips === null) {
    const typed = text.trim();
    const why = !typed
      ? "No amount is given."
      : /^[-−]\s*\d/.test(typed)
        ? `“${typed}” is too little.`
        : `“${typed}” is not a number.`;
    return { chips, problem: `${why} ${between}` };
  }
  if (chips < least || chips > most) {
    const why = chips < least ? "too little" : "too much";
    return { chips: null, problem: `${said(chips, unit, bigBlind)} is ${why}. ${between}` };
  }
  return { chips, problem: null };
}

export const clamped = (chips: number, range: { least: number; most: number }): number =>
  Math.min(Math.max(chips, range.least), range.most);

const SLOTS = ["½ pot", "⅔ pot", "Pot", "All-in"];

/** ½, ⅔ and 1 pot and all-in, each always in its own place; without an amount where it is not allowed. */
export function presets(state: Pick<State, "legal" | "presets">): { label: string; amount: number | null }[] {
  const range = state.legal?.raise_to;
  const found = (label: string): Preset | undefined =>
    state.presets.find((preset) => preset.label.toLowerCase() === label.toLowerCase());
  return SLOTS.map((label) => {
    const amount = found(label)?.amount;
    const allowed = range && amount !== undefined && amount >= range.least && amount <= range.most;
    return { label, amount: allowed ? amount : null };
  });
}

/** The value of a slider's place from 0 to 1000: fine steps for small amounts, coarse ones for large. */
export function slid(place: number, range: { least: number; most: number }): number {
  const { least, most } = range;
  if (place >= 1000) return most;
  const low = Math.max(least, 1);
  return clamped(Math.round(low * (Math.max(most, 1) / low) ** (place / 1000)), range);
}

/** The slider's place for an amount: the other way round. */
export function placed(chips: number, range: { least: number; most: number }): number {
  const low = Math.max(range.least, 1);
  if (range.most <= low) return 1000;
  return Math.round((1000 * Math.log(Math.max(chips, low) / low)) / Math.log(range.most / low));
}
