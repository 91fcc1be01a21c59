// A table of the stand-in: heads-up hold'em, known hands, an opponent who calls.
import { AGENTS, DEALS, HOLD, Refused, ROUNDS, VARIANTS } from "./fake_catalogue.mjs";
import { keep, sealed } from "./fake_study.mjs";
import { frame } from "./fake_socket.mjs";

const LIMIT_MS = Number(process.env.FAKE_LIMIT_MS ?? 30_000);
const BANK_MS = Number(process.env.FAKE_BANK_MS ?? 30_000);

export class Table {
  constructor(id, wanted, name) {
    this.id = id;
    this.wanted = wanted;
    this.people = [name, AGENTS.find((agent) => agent.name === wanted.agents[0])?.title ?? "Bo"];
    this.stacks = [wanted.stack || 200, wanted.stack || 200];
    this.seq = 0;
    this.hand = 0;
    this.messages = [];
    this.sockets = new Set();
    this.waiting = new Set();
    this.winner = null;
    this.pace = wanted.pace ?? { paused: false, move_seconds: 0.9, hand_seconds: 5 };
    this.away = false;
    setTimeout(() => this.begin(), 700);
  }

  seated() {
    return this.wanted.sit !== false;
  }

  info() {
    const { game: name, seats, tournament, stack } = this.wanted;
    const variant = VARIANTS.find((one) => one.name === name);
    return {
      id: this.id,
      game: name,
      title: variant.title,
      seats,
      taken: 2,
      people: this.seated() ? [this.people[0]] : [],
      agents: this.wanted.agents,
      tournament,
      hands_per_level: this.wanted.hands_per_level ?? 0,
      time_limit: LIMIT_MS / 1000,
      time_bank: BANK_MS / 1000,
      parameters: {},
      open_cards: Boolean(this.wanted.open_cards),
      owner: true,
      pace: this.pace,
      stack: stack || variant.stack,
      blinds: variant.blinds,
      big_blind: Math.max(...variant.blinds, 1),
      hands: this.hand,
      private: Boolean(this.wanted.private),
      invite: this.wanted.private ? "open-sesame" : null,
    };
  }

  begin() {
    if (this.pace.paused) return void (this.held = () => this.begin());
    if (this.stacks.includes(0)) {
      if (this.wanted.tournament || (this.stacks[0] === 0 && this.seated())) return;
      this.stacks = this.stacks.map((stack) => stack || 200);
    }
    this.steps = [];
    Object.assign(this, {
      deal: DEALS[this.hand % DEALS.length],
      hand: this.hand + 1,
      step: 0,
      street: 0,
      bets: [0, 0],
      pot: 0,
      result: null,
      open: false,
      folded: -1,
      last: [null, null],
      log: [],
      acted: 0,
      won: [0, 0],
    });
    this.began = [...this.stacks];
    this.button = this.hand % 2;
    this.put(this.button, 1);
    this.put(1 - this.button, 2);
    this.turn = this.button;
    this.tell({ kind: "deal", seat: -1, text: `Hand ${this.hand}: cards are dealt` });
    this.go();
  }

  put(seat, chips) {
    const paid = Math.min(chips, this.stacks[seat]);
    this.stacks[seat] -= paid;
    this.bets[seat] += paid;
    this.pot += paid;
  }

  legal() {
    if (this.turn !== 0 || !this.seated()) return null;
    const call = Math.min(Math.max(this.bets[1] - this.bets[0], 0), this.stacks[0]);
    const most = Math.min(this.bets[0] + this.stacks[0], this.bets[1] + this.stacks[1]);
    const least = Math.min(Math.max(this.bets[1], 0) + Math.max(2, call), most);
    return { fold: call > 0, call, raise_to: most > this.bets[1] ? { least, most } : null, exchange: null };
  }

  presets() {
    const range = this.deal && this.legal()?.raise_to;
    if (!range || range.least === range.most) return [];
    const call = this.legal().call;
    const share = (part) => this.bets[0] + call + Math.round(part * (this.pot + call));
    return [
      ["½ pot", share(1 / 2)],
      ["⅔ pot", share(2 / 3)],
      ["pot", share(1)],
      ["all-in", range.most],
    ].map(([label, amount]) => ({ label, amount }));
  }

  level() {
    return this.wanted.tournament ? Math.floor((this.hand - 1) / 5) : 0;
  }

  state() {
    const board = this.deal ? this.deal.board.slice(0, [0, 3, 4, 5][this.street]) : [];
    const seats = this.people.map((name, seat) => ({
      seat,
      name,
      agent: seat || !this.seated() ? this.wanted.agents[0] : null,
      stack: this.stacks[seat],
      bet: this.bets?.[seat] ?? 0,
      folded: this.folded === seat,
      all_in: this.stacks[seat] === 0 && !this.result,
      in_hand: Boolean(this.deal),
      away: seat === 0 && this.away,
      leaving: false,
      cards: !this.deal
        ? []
        : seat === 0 && (this.seated() || this.wanted.open_cards)
          ? this.deal.own
          : this.open || this.wanted.open_cards
            ? this.deal.other
            : [],
      hidden: this.deal ? 2 : 0,
      up: [],
      last: this.last?.[seat] ?? null,
      won: this.won?.[seat] ?? 0,
      connected: true,
    }));
    while (seats.length < this.wanted.seats) seats.push(null);
    return {
      table: this.info(),
      seq: this.seq,
      you: this.seated() ? 0 : -1,
      hand_id: this.hand ? `${this.id}-${this.hand}` : null,
      hand: this.hand,
      step: this.step ?? 0,
      playing: Boolean(this.deal) && !this.result,
      button: this.button ?? -1,
      round: ROUNDS[this.street ?? 0],
      street: this.street ?? 0,
      board,
      pot: this.pot ?? 0,
      pots: [{ chips: this.pot ?? 0, seats: [0, 1] }],
      seats,
      turn: this.turn ?? -1,
      deadline_ms: this.turn >= 0 ? Math.max(this.until - Date.now(), 0) : null,
      bank_ms: this.turn === 0 && this.seated() ? BANK_MS : null,
      legal: this.deal ? this.legal() : null,
      presets: this.presets(),
      hold: this.deal && this.seated() ? (this.street === 3 ? this.deal.words[0] : HOLD[this.street]) : null,
      result: this.result,
      level: this.level(),
      hands_left: this.wanted.tournament ? 5 - ((this.hand - 1) % 5) : null,
      winner: this.winner,
      deal: this.deal ? { commitment: sealed(this.deal).commitment } : null,
      log: this.log ?? [],
    };
  }

  tell(event) {
    this.seq += 1;
    if (event.text) this.log.push(event.text);
    this.until = Date.now() + LIMIT_MS;
    const message = { seq: this.seq, event, state: structuredClone(this.state()) };
    this.messages.push(message);
    const { round, street, board, pot, pots, seats, turn, legal } = message.state;
    this.steps.push({
      state: { round, street, board, pot, pots, seats, turn, legal },
      event,
      also: [],
      decision: null,
    });
    for (const socket of this.sockets) socket.write(frame(JSON.stringify(message)));
    for (const wake of this.waiting) wake();
  }

  act(seat, told) {
    if (told.hand !== this.hand || told.step !== this.step)
      throw new Refused(409, "stale", "This move was for another step; look at the table again.");
    if (this.turn !== seat) throw new Refused(409, "not_your_turn", "It is not your turn.");
    const call = Math.max(this.bets[1 - seat] - this.bets[seat], 0);
    if (told.move === "raise" && seat === 0) {
      const { least, most } = this.legal().raise_to;
      if (!(told.amount >= least && told.amount <= most))
        throw new Refused(422, "amount", `Raise to between ${least} and ${most}.`);
    }
    this.steps.at(-1).decision = {
      seat,
      action: { move: told.move, amount: told.amount ?? 0 },
      words: "",
      to_call: call,
      pot_odds: call ? call / (this.pot + call) : null,
      needed: call ? call / (this.pot + call) : null,
      equity: seat ? null : [0.64, 0.82, 0.79, 0.9][this.street],
      equity_note: "against a random hand (sampled, ±0.01)",
      equity_actual: null,
    };
    this.step += 1;
    this.acted += 1;
    if (told.move === "fold") {
      this.folded = seat;
      this.say(seat, "folds", told);
      return this.end(1 - seat, `${this.people[1 - seat]} wins ${this.pot}: everybody else has folded`);
    }
    if (told.move === "raise") {
      this.put(seat, told.amount - this.bets[seat]);
      this.acted = 1;
      this.turn = 1 - seat;
      this.say(seat, call || this.bets[1 - seat] ? `raises to ${told.amount}` : `bets ${told.amount}`, told);
      return this.go();
    }
    this.put(seat, call);
    const even = this.bets[0] === this.bets[1] || this.stacks[seat] === 0;
    this.turn = 1 - seat;
    if (even && this.acted >= 2) this.turn = -1;
    this.say(seat, call ? `calls ${call}` : "checks", told);
    if (this.turn < 0) return this.next();
    return this.go();
  }

  say(seat, what, action) {
    const decided = this.steps.at(-1).decision;
    if (decided) decided.words = what;
    this.last[seat] = what;
    this.tell({
      kind: "move",
      seat,
      text: `${this.people[seat]} ${what}`,
      action: { move: action.move, amount: action.amount ?? 0 },
    });
  }

  next() {
    if (this.street === 3) return this.showdown();
    this.street += 1;
    this.bets = [0, 0];
    this.last = [null, null];
    this.acted = 0;
    const ended = this.stacks.includes(0);
    this.turn = ended ? -1 : 1 - this.button;
    const cards = this.deal.board.slice(0, [0, 3, 4, 5][this.street]).slice(this.street === 1 ? 0 : -1);
    this.tell({ kind: "board", seat: -1, text: `${ROUNDS[this.street]}: ${cards.join(" ")}`, cards: cards.join("") });
    return ended ? void setTimeout(() => this.next(), 800) : this.go();
  }

  showdown() {
    this.open = true;
    const { best, words } = this.deal;
    this.end(best, `${this.people[best]} wins ${this.pot} with ${words[best]}, against ${words[1 - best]}`);
  }

  end(winner, text) {
    this.turn = -1;
    this.won[winner] = this.pot;
    this.stacks[winner] += this.pot;
    this.result = { text, payoffs: this.stacks.map((stack, seat) => stack - this.began[seat]) };
    if (this.wanted.tournament && this.stacks.includes(0)) this.winner = winner;
    this.tell({ kind: "result", seat: winner, text });
    keep(this);
    setTimeout(() => this.begin(), 1000 * this.pace.hand_seconds);
  }

  go() {
    const { turn, hand, step } = this;
    if (turn < 0) return;
    const move = () =>
      this.turn === turn && this.hand === hand && this.step === step && this.act(turn, { move: "call", hand, step });
    if (this.pace.paused) this.held = move;
    else if (turn === 1 || !this.seated())
      setTimeout(() => (this.pace.paused ? (this.held = move) : move()), 1000 * this.pace.move_seconds);
    else if (process.env.FAKE_LATE)
      setTimeout(() => this.hand === hand && this.step === step && this.expire(), LIMIT_MS + BANK_MS);
  }

  expire() {
    this.tell({ kind: "expired", seat: 0, text: `${this.people[0]} did not answer in time: the rule checks or folds` });
    this.act(0, { move: this.legal().fold ? "fold" : "call", hand: this.hand, step: this.step });
  }

  /** On from a pause. */
  resume() {
    const held = this.held;
    this.held = null;
    held?.();
  }
}
