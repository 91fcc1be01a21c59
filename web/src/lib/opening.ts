/** Opening tables, and remembering what was asked for, so that a new game is like the last. */
import { api, type TableInfo, type TableRequest } from "../api";

const key = (table: string): string => `felt.table.${table}`;

/** Open a table; its id. */
export async function openTable(wanted: TableRequest): Promise<string> {
  const { table } = await api.open(wanted);
  try {
    sessionStorage.setItem(key(table.id), JSON.stringify(wanted));
  } catch {
    // a browser that keeps nothing
  }
  return table.id;
}

/** What to ask for to play the same once more: what was asked for then, or what the table says of itself. */
export function wantedAgain(table: TableInfo): TableRequest {
  try {
    const asked = sessionStorage.getItem(key(table.id));
    if (asked) return JSON.parse(asked) as TableRequest;
  } catch {
    // as above
  }
  const { game, parameters = {}, seats, stack, tournament, hands_per_level = 0, time_limit = 15, agents } = table;
  return {
    game,
    parameters,
    seats,
    stack,
    tournament,
    hands_per_level,
    time_limit,
    agents,
    sit: true,
    private: table.private,
  };
}
