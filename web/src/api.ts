/** The service, as the page asks it: a thin layer over the types that are made from its description. */
import type { components, paths } from "./client/schema";

type Schemas = components["schemas"];

export type Me = Schemas["Me"];
export type MeWithCode = Schemas["MeWithCode"];
export type Variant = Schemas["Variant"];
export type AgentInfo = Schemas["AgentTold"];
export type Pace = Schemas["PaceTold"];
export type TableInfo = Schemas["TableInfo"];
export type TableRequest = Schemas["TableAsked"];
export type SeatState = Schemas["SeatTold"];
export type Legal = Schemas["LegalTold"];
export type Preset = Schemas["Preset"];
export type State = Schemas["State"];
export type TableEvent = Schemas["EventTold"];
export type Act = Schemas["ActAsked"];
export type Message = Schemas["Message"];
export type HandTold = Schemas["HandTold"];
export type HandReplay = Schemas["HandReplay"];
export type Step = Schemas["Step"];
export type Decision = Schemas["DecisionTold"];
export type OpenedDeal = Schemas["OpenedDeal"];
export type Stat = Schemas["Stat"];
export type SeatStatistics = Schemas["SeatFigures"];
export type GameStatistics = Schemas["GameFigures"];
export type GraphTold = Schemas["Graph"];

/** A request that the service refused; the message is for people. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** Of what was asked, the part that is wrong. */
    readonly field: string | null = null,
  ) {
    super(message);
  }
  /** Nobody answered. */
  get offline(): boolean {
    return this.status === 0;
  }
}

/** What went wrong, in one line. */
export const saidOf = (error: unknown): string => (error instanceof Refused ? error.message : String(error));

const ROOT = "/api/v1/";
const BASE = new URL("api/v1/", document.baseURI);
let token = "";

/** The address of something under the service's root: `/api/v1/tables/{table}` filled in. */
export function address(
  path: string,
  fill: Record<string, string> = {},
  query: Record<string, string | number | null> = {},
): URL {
  const filled = path
    .slice(ROOT.length)
    .replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(fill[name] ?? ""));
  const url = new URL(filled, BASE);
  for (const [key, value] of Object.entries(query))
    if (value !== null && value !== "") url.searchParams.set(key, String(value));
  return url;
}

async function ask<T>(method: string, url: URL, body?: unknown, signal?: AbortSignal): Promise<T> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (method !== "GET") headers["X-Felt-Token"] = token;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let answer: Response;
  try {
    answer = await fetch(url, {
      method,
      headers,
      credentials: "same-origin",
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
    });
  } catch {
    throw new Refused(0, "offline", "The service cannot be reached.");
  }
  const told: unknown = await answer.json().catch(() => null);
  if (!answer.ok) {
    const error = (told as { error?: { code?: string; message?: string; field?: string | null } } | null)?.error;
    throw new Refused(
      answer.status,
      error?.code ?? "error",
      error?.message ?? `The service answered ${answer.status}.`,
      error?.field ?? null,
    );
  }
  return told as T;
}

type Json<R> = R extends { content: { "application/json": infer T } } ? T : never;
type Told<O> = O extends { responses: infer R } ? Json<R[keyof R & (200 | 201)]> : never;
type Asked<O> = O extends { requestBody: { content: { "application/json": infer B } } } ? B : Record<string, never>;
type With<M extends string> = {
  [P in keyof paths]: paths[P] extends Record<M, infer O> ? (O extends { responses: unknown } ? P : never) : never;
}[keyof paths];
type Of<P extends keyof paths, M extends string> = paths[P] extends Record<M, infer O> ? O : never;

/** The query of an operation, as far as it is described; an empty text or null is left out. */
type Query<O> = O extends { parameters: { query?: infer Q } }
  ? { [K in keyof Q]?: Q[K] | null }
  : Record<string, never>;

function get<P extends With<"get">>(
  path: P,
  fill: Record<string, string> = {},
  query: Query<Of<P, "get">> | Record<string, never> = {},
  signal?: AbortSignal,
): Promise<Told<Of<P, "get">>> {
  return ask("GET", address(path, fill, query as Record<string, string | number | null>), undefined, signal);
}

function post<P extends With<"post">>(
  path: P,
  body: Asked<Of<P, "post">>,
  fill: Record<string, string> = {},
): Promise<Told<Of<P, "post">>> {
  return ask("POST", address(path, fill), body);
}

function known<Somebody extends Me>(me: Somebody): Somebody {
  token = me.token;
  return me;
}

/** Whoever this browser is; null for nobody. */
async function whoami(): Promise<Me | null> {
  const me: Me | null = await get("/api/v1/me").catch((error: unknown) => {
    if (error instanceof Refused && error.status === 401) return null;
    throw error;
  });
  return me && known(me);
}

export const api = {
  me: whoami,
  session: async (name: string) => known(await post("/api/v1/session", { name })),
  /** Register: the answer has a code for a lost password, which is told this once. */
  register: async (name: string, password: string): Promise<MeWithCode> =>
    known(await post("/api/v1/account/register", { name, password })),
  login: async (name: string, password: string) => known(await post("/api/v1/account/login", { name, password })),
  password: async (old: string, fresh: string): Promise<MeWithCode> =>
    known(await post("/api/v1/account/password", { old, new: fresh })),
  rename: async (name: string) => known(await post("/api/v1/account/name", { name })),
  recoveryCode: async (password: string) => (await post("/api/v1/account/recovery-code", { password })).recovery_code,
  recover: async (name: string, code: string, fresh: string): Promise<MeWithCode> =>
    known(await post("/api/v1/account/recover", { name, code, new: fresh })),
  erase: (password: string) => post("/api/v1/account/delete", { password }),
  logout: () => post("/api/v1/account/logout", {}),
  health: () => get("/api/v1/health"),
  variants: () => get("/api/v1/variants"),
  agents: () => get("/api/v1/agents"),
  tables: (limit: number) => get("/api/v1/tables", {}, { limit }),
  open: (wanted: TableRequest) => post("/api/v1/tables", wanted),
  state: (table: string, invite: string | null) => get("/api/v1/tables/{table}", { table }, { invite }),
  sit: (table: string, seat: number, invite: string | null) =>
    post("/api/v1/tables/{table}/sit", { seat, invite }, { table }),
  leave: (table: string) => post("/api/v1/tables/{table}/leave", {}, { table }),
  away: (table: string, away: boolean) => post("/api/v1/tables/{table}/away", { away }, { table }),
  rebuy: (table: string) => post("/api/v1/tables/{table}/rebuy", {}, { table }),
  act: (table: string, act: Act) => post("/api/v1/tables/{table}/act", act, { table }),
  pace: (table: string, pace: Pace) => post("/api/v1/tables/{table}/pace", pace, { table }),
  step: (table: string) => post("/api/v1/tables/{table}/step", {}, { table }),
  close: (table: string) => post("/api/v1/tables/{table}/close", {}, { table }),
  events: (
    table: string,
    invite: string | null,
    since: number,
    wait: number,
    signal?: AbortSignal,
  ): Promise<{ messages: Message[] }> =>
    get("/api/v1/tables/{table}/events", { table }, { since, wait, invite }, signal),
  tableStatistics: (table: string, invite: string | null) =>
    get("/api/v1/tables/{table}/statistics", { table }, { invite }),
  hands: (query: { limit?: number; before?: string | null; table?: string; game?: string }) =>
    get("/api/v1/hands", {}, query),
  hand: (hand: string, cards: "mine" | "all") => get("/api/v1/hands/{hand}", { hand }, { cards }),
  deal: (hand: string) => get("/api/v1/hands/{hand}/deal", { hand }),
  statistics: () => get("/api/v1/statistics"),
  graph: (query: { table?: string; game?: string }) => get("/api/v1/statistics/graph", {}, query),
};
