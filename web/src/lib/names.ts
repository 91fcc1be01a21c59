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

export const guestName = (): string => `Guest ${100 + Math.floor(900 * Math.random())}`;
