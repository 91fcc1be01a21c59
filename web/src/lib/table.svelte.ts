/** One table as the page shows it: the latest state, what was told, and the link to the service. */
import { api, Live, Refused, type Act, type Link, type Message, type State } from "../api";
import { knock } from "./sounds";
import { settings } from "./settings.svelte";

/** How long an event stays before the next is shown, so that people can follow what agents do at once. */
const STAY_MS: Record<string, number> = { move: 420, board: 500, deal: 300, showdown: 700, expired: 420 };
const MOST_WAITING = 5;
const LOG_LENGTH = 300;
/** A move that the socket took but nobody answered is sent again the other way; it counts once. */
const UNANSWERED_MS = 4000;

export interface Line {
  id: number;
  hand: number;
  text: string;
}

export class TableStore {
  state = $state.raw<State | null>(null);
  log = $state.raw<Line[]>([]);
  link = $state<Link>("connecting");
  problem = $state("");
  /** What was told last, for screen readers and the line above the buttons. */
  said = $state("");
  /** When the time of who has to act is over, on the clock of `performance.now`, and how much it was. */
  ends = $state(0);
  limit = $state(15_000);
  /** A move is on its way. */
  sent = $state(false);

  private live: Live | undefined;
  private waiting: { message: Message; at: number }[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private lines = 0;
  private gone = false;

  constructor(readonly id: string) {
    void this.start();
  }

  close(): void {
    this.gone = true;
    clearTimeout(this.timer);
    this.live?.close();
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
    await this.ask(() => api.state(this.id));
    if (this.gone || !this.state) return;
    this.write(this.state.hand, this.state.log);
    this.live = new Live(this.id, this.state.seq, {
      message: (message) => this.queue(message),
      refused: (error) => this.refuse(error),
      link: (link) => (this.link = link),
    });
  }

  private refuse(error: { code: string; message: string }): void {
    this.sent = false;
    if (error.code === "stale") void this.ask(() => api.state(this.id));
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
      this.write(state.hand, [event.text]);
    }
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
    if (state.step !== this.state?.step || state.hand !== this.state.hand || state.turn !== state.you) this.sent = false;
    this.state = state;
    if (state.deadline_ms !== null && state.turn >= 0) {
      this.limit = Math.max(this.limit, state.deadline_ms);
      this.ends = at + state.deadline_ms;
    }
  }

  private write(hand: number, texts: string[]): void {
    const lines = texts.map((text) => ({ id: this.lines++, hand, text }));
    this.log = [...this.log, ...lines].slice(-LOG_LENGTH);
  }
}
