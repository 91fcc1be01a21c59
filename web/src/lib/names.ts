/** Names of players, as the service takes them. */

/** What is wrong with a name, in one line; null if nothing is. */
export function nameProblem(text: string): string | null {
  const name = text.trim().replace(/\s+/g, " ");
  if (!name) return "Give a name: 1 to 24 characters.";
  if ([...name].length > 24) return "This name is too long: 24 characters at most.";
  if (name.includes(":")) return "A name cannot have a “:” in it.";
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/u.test(name)) return "A name cannot have invisible characters in it.";
  return null;
}

/** A name inside a sentence: letters that are written from right to left turn nothing round but themselves. */
export const isolated = (name: string): string =>
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u.test(name)
    ? `\u2068${name}\u2069`
    : name;

/** A line of the service with the names in it kept to themselves; the longest first, since one may be part of another. */
export function withNames(text: string, names: string[]): string {
  const turned = [...new Set(names)]
    .filter((name) => name && isolated(name) !== name)
    .sort((one, other) => other.length - one.length);
  if (!turned.length) return text;
  const any = new RegExp(turned.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|"), "gu");
  return text.replace(any, isolated);
}

export const guestName = (): string => `Guest ${100 + Math.floor(900 * Math.random())}`;
