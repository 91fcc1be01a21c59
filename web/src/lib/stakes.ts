/** The settings of a game, in the words of players. */
import type { Variant } from "../api";
import { capital } from "./amounts";

type Parameter = Variant["parameters"][number];

const LABELS: Record<string, string> = {
  big_blind_ante: "Big-blind ante",
  bring_in: "Bring-in",
  bet: "Smallest bet",
  most: "Largest bet",
};
/** How many sit down says how many play. */
const SET_BY_SEATS = ["players"];

/** What a setting is called at a table: "Small blind", "Big-blind ante". */
export const labelOf = (parameter: Pick<Parameter, "name">): string =>
  LABELS[parameter.name] ?? capital(parameter.name.replaceAll("_", " "));

/** What there is to say about it beyond its name; empty where the name says it. */
export function helpOf(parameter: Pick<Parameter, "name" | "title">): string {
  const [name, said] = [labelOf(parameter).toLowerCase(), parameter.title.replace(/^(the|an?) /, "")];
  if (said.toLowerCase() === name) return "";
  return said.toLowerCase().startsWith(`${name}, `) ? said.slice(name.length + 2) : parameter.title;
}

/** The settings that are asked for. */
export const asked = (variant: Variant | null): Parameter[] =>
  (variant?.parameters ?? []).filter((parameter) => !SET_BY_SEATS.includes(parameter.name));

/** What was typed, as numbers; what was left empty stays as it usually is. */
export function numbers(typed: Record<string, string>, parameters: Parameter[]): Record<string, number> {
  const set = parameters.filter(({ name }) => typed[name]?.trim() && Number.isFinite(Number(typed[name])));
  return Object.fromEntries(set.map(({ name }) => [name, Number(typed[name])]));
}
