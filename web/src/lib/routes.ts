/** Where the page is: kept after the # of its address, so that links and the back button work. */

export type Route =
  | { at: "lobby" }
  | { at: "table"; table: string; invite: string | null }
  | { at: "hands"; table: string; game: string }
  | { at: "hand"; hand: string; step: number | null; cards: "mine" | "all" }
  | { at: "statistics" };

export function routeOf(hash: string): Route {
  const [path = "", search = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [what, id] = path.split("/").map(decoded);
  const query = new URLSearchParams(search);
  if (what === "table" && id) return { at: "table", table: id, invite: query.get("invite") };
  if (what === "hands") return { at: "hands", table: query.get("table") ?? "", game: query.get("game") ?? "" };
  if (what === "hand" && id) {
    const step = query.get("step");
    return {
      at: "hand",
      hand: id,
      step: step !== null && /^\d{1,6}$/.test(step) ? Number(step) : null,
      cards: query.get("cards") === "all" ? "all" : "mine",
    };
  }
  return what === "statistics" ? { at: "statistics" } : { at: "lobby" };
}

export function hashOf(route: Route): string {
  const query = new URLSearchParams();
  const add = (key: string, value: string | null): void => void (value && query.set(key, value));
  let path = "";
  if (route.at === "table") {
    path = `table/${encodeURIComponent(route.table)}`;
    add("invite", route.invite);
  } else if (route.at === "hands") {
    path = "hands";
    add("game", route.game);
    add("table", route.table);
  } else if (route.at === "hand") {
    path = `hand/${encodeURIComponent(route.hand)}`;
    add("step", route.step === null ? null : String(route.step));
    add("cards", route.cards === "all" ? "all" : null);
  } else if (route.at === "statistics") path = "statistics";
  return `#/${path}${query.size ? `?${query}` : ""}`;
}

export const toTable = (table: string, invite: string | null = null): string => hashOf({ at: "table", table, invite });
export const toHands = (filter: { table?: string; game?: string } = {}): string =>
  hashOf({ at: "hands", table: "", game: "", ...filter });
export const toHand = (hand: string): string => hashOf({ at: "hand", hand, step: null, cards: "mine" });

/** A link that somebody cut in half is no reason to fall over. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}
