/** A line of winnings, drawn in a box: nothing but arithmetic. */
import { counted } from "./amounts";

export interface Box {
  width: number;
  height: number;
}

export interface Drawn {
  /** The line, as an SVG path. */
  path: string;
  /** Where nothing is won or lost. */
  zero: number;
  ticks: { value: number; y: number }[];
  last: { x: number; y: number };
}

/** Round numbers, at most five, around the values. */
export function ticksOf(low: number, high: number): number[] {
  const span = Math.max(high - low, 1);
  const rough = span / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((size) => size >= rough) ?? 10 * power;
  const ticks: number[] = [];
  for (let value = Math.ceil(low / step) * step; value <= high + step * 1e-9; value += step)
    ticks.push(Math.round(value * 1e6) / 1e6 + 0);
  return ticks;
}

/** Points (hands played, won so far) as a line that begins at nothing. */
export function drawn(points: { n: number; value: number }[], box: Box): Drawn {
  const all = [{ n: 0, value: 0 }, ...points];
  const low = Math.min(...all.map((point) => point.value));
  const high = Math.max(...all.map((point) => point.value));
  const most = Math.max(all.at(-1)!.n, 1);
  const span = high - low || 1;
  const x = (n: number): number => (n / most) * box.width;
  const y = (value: number): number => box.height - ((value - low) / span) * box.height;
  const round = (value: number): number => Math.round(value * 10) / 10;
  const path = all.map((point, index) => `${index ? "L" : "M"}${round(x(point.n))} ${round(y(point.value))}`).join("");
  const end = all.at(-1)!;
  return {
    path,
    zero: y(0),
    ticks: ticksOf(low, high).map((value) => ({ value, y: y(value) })),
    last: { x: x(end.n), y: y(end.value) },
  };
}

/** What the line shows, for who cannot see it. */
export function told(points: { n: number; value: number }[], unit: string): string {
  if (!points.length) return "No hands yet.";
  const values = points.map((point) => point.value);
  const say = (value: number): string => `${(Math.round(value * 10) / 10).toLocaleString("en-US")} ${unit}`;
  const end = values.at(-1)!;
  const how = end > 0 ? `${say(end)} won` : end < 0 ? `${say(-end)} lost` : "nothing won or lost";
  return `${how} over ${counted(points.at(-1)!.n, "hand")}; highest ${say(Math.max(0, ...values))}, lowest ${say(Math.min(0, ...values))}.`;
}
