/** All that the page knows of the service: its types, its requests, and the live events of a table. */

export interface Me {
  id: string;
  name: string;
  guest: boolean;
  token: string;
  seats: { table: string; seat: number }[];
}

export interface Variant {
  name: string;
  title: string;
  description: string;
  min_players: number;
  max_players: number;
  structure: string;
  stack: number;
  blinds: number[];
  parameters: { name: string; default: unknown; title: string }[];
}

export interface AgentInfo {
  name: string;
  title: string;
  /** The games that it plays; null for all. */
  games: string[] | null;
}

export interface TableInfo {
  id: string;
  game: string;
  title: string;
  seats: number;
  taken: number;
  people: string[];
  agents: string[];
  tournament: boolean;
  stack: number;
  blinds: number[];
  hands: number;
  private: boolean;
  invite: string | null;
}

export interface TableRequest {
  game: string;
  parameters: Record<string, unknown>;
  seats: number;
  stack: number;
  tournament: boolean;
  hands_per_level: number;
  time_limit: number;
  agents: string[];
  sit: boolean;
  private: boolean;
}

export interface SeatState {
  seat: number;
  name: string;
  agent: string | null;
  stack: number;
  bet: number;
  folded: boolean;
  all_in: boolean;
  in_hand: boolean;
  away: boolean;
  leaving: boolean;
  cards: string[];
  hidden: number;
  up: string[];
  last: string | null;
  won: number;
  connected: boolean;
}

export interface Legal {
  fold: boolean;
  /** Chips to add, 0 to check; null where there is nothing to call or check. */
  call: number | null;
  raise_to: { least: number; most: number } | null;
  exchange: { what: string; least: number; most: number } | null;
}

export interface Preset {
  label: string;
  amount: number;
}

export interface State {
  table: TableInfo;
  seq: number;
  you: number;
  hand: number;
  step: number;
  playing: boolean;
  button: number;
  round: string;
  street: number;
  board: string[];
  pot: number;
  pots: { chips: number; seats: number[] }[];
  seats: (SeatState | null)[];
  turn: number;
  deadline_ms: number | null;
  legal: Legal | null;
  presets: Preset[];
  hold: string | null;
  result: { text: string; payoffs: number[] } | null;
  level: number;
  hands_left: number | null;
  winner: number | null;
  deal: { commitment: string; salt: string | null; deck: string | null } | null;
  log: string[];
}

export interface TableEvent {
  kind: string;
  seat?: number;
  text?: string;
  cards?: string;
}

export interface Message {
  seq: number;
  event: TableEvent;
  state: State;
}

export interface Act {
  hand: number;
  step: number;
  move: "fold" | "call" | "raise" | "exchange";
  amount?: number;
  cards?: string;
}

/** A request that the service refused; the message is for people. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

const BASE = new URL("api/v1/", document.baseURI);
let token = "";

async function ask<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (method !== "GET") headers["X-Felt-Token"] = token;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let answer: Response;
  try {
    answer = await fetch(new URL(path, BASE), {
      method,
      headers,
      credentials: "same-origin",
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
    });
  } catch {
    throw new Refused(0, "offline", "The service cannot be reached. Is it running?");
  }
  const told: unknown = await answer.json().catch(() => null);
  if (!answer.ok) {
    const error = (told as { error?: { code?: string; message?: string } } | null)?.error;
    throw new Refused(answer.status, error?.code ?? "error", error?.message ?? `The service answered ${answer.status}.`);
  }
  return told as T;
}

function known(me: Me): Me {
  token = me.token;
  return me;
}

const at = (table: string, what = ""): string => `tables/${encodeURIComponent(table)}${what}`;

export const api = {
  me: async () => known(await ask<Me>("GET", "me")),
  session: async (name: string) => known(await ask<Me>("POST", "session", { name })),
  variants: () => ask<Variant[]>("GET", "variants"),
  agents: () => ask<AgentInfo[]>("GET", "agents"),
  tables: () => ask<TableInfo[]>("GET", "tables"),
  open: (wanted: TableRequest) => ask<{ table: TableInfo; seat: number }>("POST", "tables", wanted),
  state: (table: string) => ask<State>("GET", at(table)),
  sit: (table: string, seat: number, invite: string | null) => ask<State>("POST", at(table, "/sit"), { seat, invite }),
  leave: (table: string) => ask<State>("POST", at(table, "/leave"), {}),
  away: (table: string, away: boolean) => ask<State>("POST", at(table, "/away"), { away }),
  rebuy: (table: string) => ask<State>("POST", at(table, "/rebuy"), {}),
  act: (table: string, act: Act) => ask<State>("POST", at(table, "/act"), act),
  events: (table: string, since: number, wait: number, signal?: AbortSignal) =>
    ask<{ messages: Message[] }>("GET", at(table, `/events?since=${since}&wait=${wait}`), undefined, signal),
};

export type Link = "connecting" | "live" | "polling" | "lost";

export interface Listener {
  message(message: Message): void;
  refused(error: { code: string; message: string }): void;
  link(link: Link): void;
}

const PING_MS = 20_000;
const SOCKET_AGAIN_MS = 30_000;

/** The events of one table, in order and without gaps: by WebSocket, and by long polling where that cannot be had. */
export class Live {
  private socket: WebSocket | null = null;
  private failures = 0;
  private closed = false;
  private heard = 0;
  private again: ReturnType<typeof setTimeout> | undefined;
  private readonly ping: ReturnType<typeof setInterval>;
  private polls: AbortController | null = null;

  constructor(
    private readonly table: string,
    private seq: number,
    private readonly listener: Listener,
  ) {
    this.ping = setInterval(() => this.keepAlive(), PING_MS);
    window.addEventListener("online", this.online);
    this.connect();
  }

  /** Send a move; whether it could be sent this way. */
  act(act: Act): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify({ type: "act", ...act }));
    return true;
  }

  close(): void {
    this.closed = true;
    window.removeEventListener("online", this.online);
    clearInterval(this.ping);
    clearTimeout(this.again);
    this.polls?.abort();
    this.socket?.close();
  }

  /** The network is back: no need to wait for the next try. */
  private readonly online = (): void => {
    if (this.socket) return;
    clearTimeout(this.again);
    this.connect();
  };

  private connect(): void {
    if (this.closed) return;
    if (!this.polls) this.listener.link("connecting");
    const url = new URL(at(this.table, `/live?since=${this.seq}`), BASE);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(url);
    this.socket = socket;
    socket.onopen = () => {
      this.failures = 0;
      this.heard = Date.now();
      this.polls?.abort();
      this.polls = null;
      this.listener.link("live");
    };
    socket.onmessage = (event) => {
      this.heard = Date.now();
      this.hear(JSON.parse(String(event.data)) as Record<string, unknown>);
    };
    socket.onclose = () => {
      if (this.socket === socket) this.retry();
    };
  }

  private hear(told: Record<string, unknown>): void {
    if (told.type === "refused") this.listener.refused(told.error as { code: string; message: string });
    else if (typeof told.seq === "number") this.take(told as unknown as Message);
  }

  /** Each event once: what comes again after a reconnect is known already. */
  private take(message: Message): void {
    if (message.seq <= this.seq && message.event.kind !== "snapshot") return;
    this.seq = message.seq;
    this.listener.message(message);
  }

  private retry(): void {
    this.socket = null;
    if (this.closed) return;
    this.failures += 1;
    if (this.failures >= 2 && !this.polls) void this.poll();
    const wait = this.polls ? SOCKET_AGAIN_MS : Math.min(500 * 2 ** this.failures, 8000);
    this.again = setTimeout(() => this.connect(), wait);
  }

  private async poll(): Promise<void> {
    const polls = new AbortController();
    this.polls = polls;
    while (!this.closed && !polls.signal.aborted) {
      try {
        const { messages } = await api.events(this.table, this.seq, 20, polls.signal);
        if (polls.signal.aborted) return;
        this.listener.link("polling");
        for (const message of messages) this.take(message);
      } catch {
        if (polls.signal.aborted) return;
        this.listener.link("lost");
        await new Promise((resolve) => setTimeout(resolve, 2000));
      }
    }
  }

  private keepAlive(): void {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    if (Date.now() - this.heard > 2.5 * PING_MS) this.socket.close();
    else this.socket.send('{"type":"ping"}');
  }
}
