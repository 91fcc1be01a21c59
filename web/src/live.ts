/** The live events of a table. */
import { address, api, Refused, type Act, type Message } from "./api";

export type Link = "connecting" | "live" | "polling" | "lost";

export interface Listener {
  message(message: Message): void;
  refused(error: { code: string; message: string }): void;
  link(link: Link): void;
  /** There is no such table any more, or it is not for us: nothing more will come. */
  gone(why: string): void;
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
    private readonly invite: string | null,
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
    const url = address("/api/v1/tables/{table}/live", { table: this.table }, { since: this.seq, invite: this.invite });
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
    if (this.closed || (message.seq <= this.seq && message.event.kind !== "snapshot")) return;
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
    let lost = false;
    while (!this.closed && !polls.signal.aborted) {
      try {
        const { messages } = await api.events(this.table, this.invite, this.seq, lost ? 0 : 20, polls.signal); // whether it is back is asked without waiting
        if (polls.signal.aborted) return;
        this.listener.link("polling");
        if (lost) this.online(); // the service is back: perhaps its sockets are, too
        lost = false;
        for (const message of messages) this.take(message);
      } catch (error) {
        if (polls.signal.aborted) return;
        if (error instanceof Refused && (error.code === "no_table" || error.code === "no_invitation")) {
          this.close();
          this.listener.gone(error.message);
          return;
        }
        lost = true;
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
