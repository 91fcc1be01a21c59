/** Opponents in the order in which they are worth a game: those who think, one's own strategies, then the simple ones. */
const FIRST = ["tag", "ehs", "potodds", "chen", "pushfold"];
const LAST = ["random", "raise", "call", "allin", "fold"];

const place = (name: string): number => {
  if (FIRST.includes(name)) return FIRST.indexOf(name);
  return FIRST.length + (LAST.includes(name) ? 1 + LAST.indexOf(name) : 0);
};

export const byInterest = <Rival extends { name: string }>(rivals: Rival[]): Rival[] =>
  [...rivals].sort((one, other) => place(one.name) - place(other.name));
