/** One table as the page shows it: the latest state, what was told, and the link to the service. */
import { api, Refused, type Act, type Message, type SeatStatistics, type State } from "../api";
import { Live, type Link } from "../live";
import { knock } from "./sounds";
import { settings } from "./settings.svelte";

/** How long an event stays before the next is shown, so that people can follow what agents do at once. */
const STAY_MS: Record<string, number> = { move: 420, board: 500, deal: 300, showdown: 700, expired: 420 };
const MOST_WAITING = 5;
const LOG_LENGTH = 300;
/** A move that the socket took but nobody answered is sent again the other way; it counts once. */
const UNANSWERED_MS = 4000;
const AGAIN_MS = 2000;
/** Statistics are asked for after a hand, but not more often than this: agents play many hands a second. */
const COUNT_MS = 3000;
/** How long it is said that a rule stepped in. */
const NOTICE_MS = 6000;

export interface Line {
  id: number;
  hand: number;
  text: string;
  /** A rule stepped in. */
  late: boolean;
}

export class TableStore {
  state = $state.raw<State | null>(null);
  log = $state.raw<Line[]>([]);
  link = $state<Link>("connecting");
  problem = $state("");
  /** Why there is nothing to show. */
  missing = $state("");
  /** A rule stepped in for somebody. */
  notice = $state("");
  /** How who sits here has played, by seat. */
  statistics = $state.raw<(SeatStatistics | null)[]>([]);
  /** What was told last, for screen readers and the line above the buttons. */
  said = $state("");
  /** When the time of who has to act is over, on the clock of `performance.now`, and how much it was. */
  ends = $state(0);
  limit = $state(15_000);
  /** What the time bank held when the time was told, and all that it can hold. */
  bank = $state(0);
  bankLimit = $state(1);
  /** A move is on its way. */
  sent = $state(false);

  private live: Live | undefined;
  private waiting: { message: Message; at: number }[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private noticed: ReturnType<typeof setTimeout> | undefined;
  private counted = -Infinity;
  private counting: ReturnType<typeof setTimeout> | undefined;
  private lines = 0;
  private gone = false;

  /** The invitation is for a private table at which one has no seat. */
  constructor(
    readonly id: string,
    private readonly invite: string | null = null,
  ) {
    void this.start();
  }

  close(): void {
    this.gone = true;
    clearTimeout(this.timer);
    clearTimeout(this.noticed);
    clearTimeout(this.counting);
    this.live?.close();
  }

  /** The time of who has to act, or what is left of their time bank once it is over. */
  clock(now: number): { left: number; limit: number; bank: boolean } | null {
    if (!this.state || this.state.turn < 0 || this.state.deadline_ms === null) return null;
    const left = this.ends - now;
    if (left > 0 || !this.bank) return { left: Math.max(left, 0), limit: this.limit, bank: false };
    return { left: Math.max(this.bank + left, 0), limit: this.bankLimit, bank: true };
  }

  async act(act: Act): Promise<void> {
    if (this.sent) return;
    this.sent = true;
    const post = (): Promise<void> => this.ask(() => api.act(this.id, act));
    if (!this.live?.act(act)) return post();
    const unanswered = (): boolean => this.sent && this.state?.hand === act.hand && this.state.step === act.step;
    setTimeout(() => unanswered() && !this.gone && void post(), UNANSWERED_MS);
  }

  /** A request that answers with the table's state. */
  async ask(request: () => Promise<State>): Promise<void> {
    try {
      this.show(await request());
    } catch (error) {
      this.refuse(error instanceof Refused ? error : { code: "error", message: String(error) });
    }
  }

  private async start(): Promise<void> {
    try {
      this.show(await api.state(this.id, this.invite));
    } catch (error) {
      if (this.gone) return;
      const refused = error instanceof Refused ? error : new Refused(500, "error", String(error));
      if (refused.status && refused.status < 500) this.missing = refused.message;
      else {
        this.link = "lost";
        this.timer = setTimeout(() => void this.start(), AGAIN_MS);
      }
      return;
    }
    if (this.gone || !this.state) return;
    this.timer = undefined;
    this.recount();
    this.write(this.state.hand, this.state.log);
    this.connect();
  }

  /** Listen anew, from what is known: a connection belongs to whom one was when it began. */
  connect(): void {
    if (this.gone || !this.state) return;
    this.live?.close();
    clearTimeout(this.timer);
    this.timer = undefined;
    this.waiting = [];
    this.live = new Live(this.id, this.invite, this.state.seq, {
      message: (message) => this.queue(message),
      refused: (error) => this.refuse(error),
      link: (link) => (this.link = link),
      gone: (why) => (this.missing = why),
    });
  }

  /** Statistics change with each hand. A service without them has none to show. */
  private recount(): void {
    const wait = Math.max(0, this.counted + COUNT_MS - performance.now());
    this.counting ??= setTimeout(() => void this.count(), wait);
  }

  private async count(): Promise<void> {
    this.counting = undefined;
    this.counted = performance.now();
    const told = await api.tableStatistics(this.id, this.invite).catch(() => null);
    if (told && !this.gone) this.statistics = told.seats;
  }

  private refuse(error: { code: string; message: string }): void {
    this.sent = false;
    if (error.code === "stale") void this.ask(() => api.state(this.id, this.invite));
    else this.problem = error.message;
  }

  private queue(message: Message): void {
    this.waiting.push({ message, at: performance.now() });
    if (this.timer === undefined) this.next();
  }

  private next(): void {
    this.timer = undefined;
    const first = this.waiting.shift();
    if (!first) return;
    const { message, at } = first;
    this.tell(message, at);
    const hurry = document.hidden || this.waiting.length > MOST_WAITING;
    const mine = message.event.seat === message.state.you;
    const stay = hurry || mine ? 0 : (STAY_MS[message.event.kind] ?? 0);
    if (stay) this.timer = setTimeout(() => this.next(), stay);
    else if (this.waiting.length) this.next();
  }

  private tell({ event, state }: Message, at: number): void {
    if (event.text) {
      this.said = state.turn >= 0 && state.turn === state.you ? `${event.text}. Your turn.` : event.text;
      this.write(state.hand, [event.text], event.kind === "expired");
    }
    if (event.kind === "expired") {
      this.notice = event.text;
      clearTimeout(this.noticed);
      this.noticed = setTimeout(() => (this.notice = ""), NOTICE_MS);
    }
    if (event.kind === "result" || event.kind === "seat") this.recount();
    const before = this.state;
    if (event.kind === "snapshot") this.state = null; // whatever its number: it is how things stand
    this.show(state, at);
    if (settings.sounds) {
      if (state.turn >= 0 && state.turn === state.you && before?.turn !== state.you) knock(660, 0.18);
      else if (event.kind === "move") knock(300);
    }
  }

  private show(state: State, at = performance.now()): void {
    if (this.state && state.seq < this.state.seq) return;
    if (state.step !== this.state?.step || state.hand !== this.state.hand || state.turn !== state.you)
      this.sent = false;
    this.state = state;
    if (state.deadline_ms !== null && state.turn >= 0) {
      this.limit = Math.max(1000 * (state.table.time_limit ?? 0) || this.limit, state.deadline_ms);
      this.ends = at + state.deadline_ms;
      this.bank = state.bank_ms ?? 0;
      this.bankLimit = Math.max(1, this.bank, 1000 * (state.table.time_bank ?? 0));
    }
  }

  private write(hand: number, texts: string[], late = false): void {
    const lines = texts.map((text) => ({ id: this.lines++, hand, text, late }));
    this.log = [...this.log, ...lines].slice(-LOG_LENGTH);
  }
}
