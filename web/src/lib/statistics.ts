/** Statistics of players, said in few letters and in full. */
import type { Stat } from "../api";

/** "27%", "2.1"; "–" where nothing has been counted yet. */
export function valueOf(stat: Stat, short = false): string {
  if (stat.value === null) return "–";
  if (stat.unit === "%") return `${Math.round(100 * stat.value)}${short ? "" : "%"}`;
  return stat.value.toFixed(1);
}

/** "27 of 100". */
export const countOf = (stat: Stat): string =>
  stat.unit === "ratio" ? `${stat.count} to ${stat.of}` : `${stat.count} of ${stat.of}`;

export const signed = (value: number): string =>
  (value > 0 ? "+" : value < 0 ? "−" : "") + Math.abs(value).toLocaleString("en-US");

const LINE = ["vpip", "pfr", "three_bet"];
const MORE = ["af", "wtsd"];

/** The line at a seat: "27/18/8 · 2.1 · 31". With little room only the first two. */
export function line(stats: Stat[], room: "wide" | "narrow"): string {
  const of = (keys: string[]): string[] =>
    keys.flatMap((key) => stats.filter((stat) => stat.key === key).map((stat) => valueOf(stat, true)));
  const first = of(room === "wide" ? LINE : LINE.slice(0, 2)).join("/");
  return room === "wide" ? [first, ...of(MORE)].filter(Boolean).join(" · ") : first;
}

const CARD = [...LINE, ...MORE, "wsd", "cbet"];

/** Those that are told at the seat; one's own page tells all. */
export const shown = (stats: Stat[]): Stat[] => stats.filter((stat) => CARD.includes(stat.key));
