// A stand-in for the service, for work on the page: heads-up hold'em against a caller, and still scenes to look at.
//   node dev/fake.mjs [port]     then open http://127.0.0.1:8766 (the built page) or `npm run dev`
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { scenes } from "./scenes.mjs";

const PORT = Number(process.argv[2] ?? 8766);
const STATIC = fileURLToPath(new URL("../../src/felt/server/static/", import.meta.url));
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".webmanifest": "application/manifest+json" };
const POLICY = "default-src 'self'; connect-src 'self' ws: wss:; frame-ancestors 'none'";
const LIMIT_MS = 30_000;
const SOCKETS = !process.env.FAKE_NO_SOCKETS; // without them the page polls

const game = (name, title, description, max_players = 9, structure = "no-limit", stack = 200, blinds = [1, 2]) =>
  ({ name, title, description, min_players: 2, max_players, structure, stack, blinds, parameters: [] });
const VARIANTS = [
  game("nlhe", "No-limit Texas hold'em", "Two cards of your own, five for all, any bet", 10),
  game("limit-holdem", "Limit Texas hold'em", "Bets of one size, four to a round", 10, "limit", 400),
  game("short-deck", "Short-deck hold'em", "No cards below six: flushes beat full houses"),
  game("plo", "Pot-limit Omaha", "Four cards, of which two play", 10, "pot-limit"),
  game("omaha8", "Limit Omaha hi/lo", "The best low takes half", 10, "limit", 400),
  game("five-card-draw", "Five-card draw", "Five cards, one exchange", 6, "limit", 400),
  game("27-triple-draw", "Deuce-to-seven triple draw", "The lowest hand wins; three draws", 6, "limit", 400),
  game("badugi", "Badugi", "Four cards of four suits, low", 8, "limit", 400),
  game("stud", "Seven-card stud", "Four cards open, three closed", 8, "limit", 4000, [20, 40]),
  game("razz", "Razz", "Stud for the lowest hand", 8, "limit", 4000, [20, 40]),
  game("kuhn", "Kuhn poker", "Three cards, one bet", 2, "limit", 2, [1, 1]),
  game("leduc", "Leduc hold'em", "Six cards, two rounds", 2, "limit", 13, [1, 2]),
];
const AGENTS = [
  { name: "ehs", title: "Expected hand strength", games: null },
  { name: "call", title: "Calling station", games: null },
  { name: "random", title: "Random", games: null },
  { name: "cfr-kuhn", title: "Kuhn solved", games: ["kuhn"] },
];
const DEALS = [
  { own: ["As", "Kd"], other: ["Qs", "Jh"], board: ["Ah", "Jc", "2d", "7s", "Kh"], best: 0, words: ["two pair, aces and kings", "a pair of jacks"] },
  { own: ["9h", "8h"], other: ["Tc", "Td"], board: ["7h", "6d", "2h", "Ts", "Kc"], best: 0, words: ["a straight, ten high", "three of a kind, tens"] },
  { own: ["Qc", "Qd"], other: ["5s", "5c"], board: ["5d", "Kh", "9c", "2s", "3d"], best: 1, words: ["a pair of queens", "three of a kind, fives"] },
];
const ROUNDS = ["preflop", "flop", "turn", "river"];
const HOLD = ["high card", "a pair", "a pair", "a pair"];

let me = null;
const tables = new Map();

class Refused extends Error {
  constructor(status, code, message) { super(message); Object.assign(this, { status, code }); }
}

class Table {
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
    setTimeout(() => this.begin(), 700);
  }

  info() {
    const { game: name, seats, tournament, stack } = this.wanted;
    const variant = VARIANTS.find((one) => one.name === name);
    return { id: this.id, game: name, title: variant.title, seats, taken: 2, people: [this.people[0]], agents: this.wanted.agents.slice(0, 1), tournament,
      stack: stack || variant.stack, blinds: variant.blinds, hands: this.hand, private: false, invite: null };
  }

  begin() {
    if (this.stacks.includes(0)) {
      if (this.wanted.tournament) return;
      this.stacks = this.stacks.map((stack) => stack || 200);
    }
    Object.assign(this, { deal: DEALS[this.hand % DEALS.length], hand: this.hand + 1, step: 0, street: 0, bets: [0, 0], pot: 0, result: null, open: false,
      folded: -1, last: [null, null], log: [], acted: 0, won: [0, 0] });
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
    if (this.turn !== 0) return null;
    const call = Math.min(Math.max(this.bets[1] - this.bets[0], 0), this.stacks[0]);
    const most = Math.min(this.bets[0] + this.stacks[0], this.bets[1] + this.stacks[1]);
    const least = Math.min(Math.max(this.bets[1], 0) + Math.max(2, call), most);
    return { fold: call > 0, call, raise_to: most > this.bets[1] ? { least, most } : null, exchange: null };
  }

  state() {
    const board = this.deal ? this.deal.board.slice(0, [0, 3, 4, 5][this.street]) : [];
    const seats = this.people.map((name, seat) => ({
      seat, name, agent: seat ? this.wanted.agents[0] : null, stack: this.stacks[seat], bet: this.bets?.[seat] ?? 0, folded: this.folded === seat,
      all_in: this.stacks[seat] === 0 && !this.result, in_hand: Boolean(this.deal), away: false, leaving: false,
      cards: !this.deal ? [] : seat === 0 ? this.deal.own : this.open ? this.deal.other : [], hidden: this.deal ? 2 : 0, up: [], last: this.last?.[seat] ?? null,
      won: this.won?.[seat] ?? 0, connected: true }));
    while (seats.length < this.wanted.seats) seats.push(null);
    return { table: this.info(), seq: this.seq, you: 0, hand: this.hand, step: this.step ?? 0, playing: Boolean(this.deal) && !this.result, button: this.button ?? -1,
      round: ROUNDS[this.street ?? 0], street: this.street ?? 0, board, pot: this.pot ?? 0, pots: [{ chips: this.pot ?? 0, seats: [0, 1] }], seats, turn: this.turn ?? -1,
      deadline_ms: this.turn >= 0 ? Math.max(this.until - Date.now(), 0) : null, legal: this.deal ? this.legal() : null, presets: [],
      hold: this.deal ? (this.street === 3 ? this.deal.words[0] : HOLD[this.street]) : null, result: this.result, level: 0, hands_left: null, winner: this.winner,
      deal: this.deal ? { commitment: createHash("sha256").update(String(this.hand)).digest("hex"), salt: null, deck: null } : null, log: this.log ?? [] };
  }

  tell(event) {
    this.seq += 1;
    if (event.text) this.log.push(event.text);
    this.until = Date.now() + LIMIT_MS;
    const message = { seq: this.seq, event, state: structuredClone(this.state()) };
    this.messages.push(message);
    for (const socket of this.sockets) socket.write(frame(JSON.stringify(message)));
    for (const wake of this.waiting) wake();
  }

  act(seat, told) {
    if (told.hand !== this.hand || told.step !== this.step) throw new Refused(409, "stale", "This move was for another step; look at the table again.");
    if (this.turn !== seat) throw new Refused(409, "not_your_turn", "It is not your turn.");
    const call = Math.max(this.bets[1 - seat] - this.bets[seat], 0);
    this.step += 1;
    this.acted += 1;
    if (told.move === "fold") {
      this.folded = seat;
      this.say(seat, "folds", told);
      return this.end(1 - seat, `${this.people[1 - seat]} wins ${this.pot}: everybody else has folded`);
    }
    if (told.move === "raise") {
      const { least, most } = this.legal().raise_to;
      if (!(told.amount >= least && told.amount <= most)) throw new Refused(422, "amount", `Raise to between ${least} and ${most}.`);
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
    this.last[seat] = what;
    this.tell({ kind: "move", seat, text: `${this.people[seat]} ${what}`, action: { move: action.move, amount: action.amount ?? 0 } });
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
    setTimeout(() => this.begin(), 5000);
  }

  go() {
    if (this.turn === 1) setTimeout(() => this.turn === 1 && this.act(1, { move: "call", hand: this.hand, step: this.step }), 900);
  }
}

const find = (id) => {
  if (scenes[id]) return { state: () => scenes[id], messages: [], sockets: new Set(), waiting: new Set(), act() {} };
  const table = tables.get(id);
  if (!table) throw new Refused(404, "no_table", "There is no such table any more.");
  return table;
};

async function answer(method, path, query, body) {
  const [what, id, action] = path.split("/");
  if (what === "health") return { ok: true, version: "0.1.0" };
  if (what === "me") {
    if (!me) throw new Refused(401, "no_session", "Nobody is signed in.");
    return { ...me, seats: [...tables.keys()].map((table) => ({ table, seat: 0 })) };
  }
  if (what === "session") return (me = { id: "1", name: body.name, guest: true, token: "t", seats: [] });
  if (what === "variants") return VARIANTS;
  if (what === "agents") return AGENTS;
  if (what === "tables" && !id) {
    if (method === "GET") return [...[...tables.values()].map((table) => table.info()), scenes["scene-six"].table, scenes["scene-stud"].table];
    const table = new Table(`t${tables.size + 1}`, body, me?.name ?? "Guest");
    tables.set(table.id, table);
    return { table: table.info(), seat: 0 };
  }
  const table = find(id);
  if (action === "act") table.act(0, body);
  if (action === "events") {
    const since = Number(query.get("since"));
    const missed = () => table.messages.filter((message) => message.seq > since);
    if (!missed().length) await new Promise((wake) => { table.waiting.add(wake); setTimeout(wake, 1000 * Number(query.get("wait") ?? 20)); });
    return { messages: missed() };
  }
  if (action === "leave") tables.delete(id);
  return table.state();
}

const server = createServer(async (request, response) => {
  const url = new URL(request.url, "http://fake");
  if (!url.pathname.startsWith("/api/v1/")) return page(url.pathname, response);
  const send = (status, told) => response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(told));
  try {
    let text = "";
    for await (const part of request) text += part;
    send(200, await answer(request.method, url.pathname.slice(8), url.searchParams, text ? JSON.parse(text) : {}));
  } catch (error) {
    send(error.status ?? 500, { error: { code: error.code ?? "error", message: error.message, field: null } });
  }
});

async function page(path, response) {
  const name = normalize(path === "/" ? "/index.html" : path);
  try {
    const body = await readFile(join(STATIC, name));
    response.writeHead(200, { "Content-Type": TYPES[extname(name)] ?? "application/octet-stream", "Content-Security-Policy": POLICY }).end(body);
  } catch {
    response.writeHead(404).end();
  }
}

// WebSocket (RFC 6455), as much as short text messages need

function frame(text) {
  const data = Buffer.from(text);
  const head = data.length < 126 ? Buffer.from([0x81, data.length]) : Buffer.from([0x81, 126, data.length >> 8, data.length & 255]);
  return Buffer.concat([head, data]);
}

server.on("upgrade", (request, socket) => {
  if (!SOCKETS) return socket.destroy();
  const url = new URL(request.url, "http://fake");
  let table;
  try {
    table = find(url.pathname.split("/")[4]);
  } catch {
    return socket.destroy();
  }
  const key = createHash("sha1").update(request.headers["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest("base64");
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`);
  for (const message of table.messages) if (message.seq > Number(url.searchParams.get("since"))) socket.write(frame(JSON.stringify(message)));
  table.sockets.add(socket);
  let kept = Buffer.alloc(0);
  socket.on("data", (data) => {
    kept = Buffer.concat([kept, data]);
    while (kept.length >= 6) {
      const code = kept[0] & 15;
      const short = kept[1] & 127;
      const start = short === 126 ? 4 : 2;
      const size = short === 126 ? kept.readUInt16BE(2) : short;
      if (kept.length < start + 4 + size) return;
      const mask = kept.subarray(start, start + 4);
      const text = Buffer.from(kept.subarray(start + 4, start + 4 + size).map((byte, index) => byte ^ mask[index & 3])).toString();
      kept = kept.subarray(start + 4 + size);
      if (code === 8) return socket.end();
      if (code === 1) hear(table, socket, JSON.parse(text));
    }
  });
  socket.on("close", () => table.sockets.delete(socket));
  socket.on("error", () => table.sockets.delete(socket));
});

function hear(table, socket, told) {
  if (told.type === "ping") return socket.write(frame('{"type":"pong"}'));
  try {
    table.act(0, told);
  } catch (error) {
    socket.write(frame(JSON.stringify({ type: "refused", error: { code: error.code, message: error.message, field: null }, hand: told.hand, step: told.step })));
  }
}

server.listen(PORT, "127.0.0.1", () => console.log(`http://127.0.0.1:${PORT}`));
