import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Message } from "../src/api";
import type { Live as LiveClass } from "../src/live";

/** A WebSocket that the test opens, feeds and drops. */
class Socket {
  static readonly OPEN = 1;
  static made: Socket[] = [];
  readyState = 0;
  sent: string[] = [];
  onopen = (): void => undefined;
  onclose = (): void => undefined;
  onmessage = (_event: { data: string }): void => undefined;
  constructor(readonly url: URL) {
    Socket.made.push(this);
  }
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.readyState = 3;
    this.onclose();
  }
  open(): void {
    this.readyState = Socket.OPEN;
    this.onopen();
  }
  tell(seq: number): void {
    this.onmessage({ data: JSON.stringify({ seq, event: { kind: "move" }, state: {} }) });
  }
}

let Live: typeof LiveClass;
let heard: number[];
let links: string[];
let live: LiveClass;

beforeEach(async () => {
  vi.useFakeTimers();
  Socket.made = [];
  heard = [];
  links = [];
  vi.stubGlobal("document", { baseURI: "https://felt.example/" });
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("WebSocket", Socket);
  ({ Live } = await import("../src/live"));
  live = new Live("t1", "let-me-in", 17, {
    message: (message: Message) => heard.push(message.seq),
    refused: () => undefined,
    link: (link) => links.push(link),
    gone: (why) => links.push(why),
  });
});

afterEach(() => {
  live.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a lost connection is taken up after the last event, and each event is told once", () => {
  const first = Socket.made[0]!;
  expect(String(first.url)).toBe("wss://felt.example/api/v1/tables/t1/live?since=17&invite=let-me-in");
  first.open();
  first.tell(18);
  first.tell(19);
  first.close();
  vi.advanceTimersByTime(1000);
  const second = Socket.made[1]!;
  expect(second.url.search).toBe("?since=19&invite=let-me-in");
  second.open();
  second.tell(19);
  second.tell(20);
  expect(heard).toEqual([18, 19, 20]);
  expect(links.at(-1)).toBe("live");
});

test("without sockets it polls, and moves go another way", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (url: URL) => {
    asked.push(url.pathname + url.search);
    if (asked.length > 1) await new Promise(() => undefined);
    return { ok: true, json: async () => ({ messages: [{ seq: 18, event: { kind: "move" }, state: {} }] }) };
  });
  Socket.made[0]!.close();
  await vi.advanceTimersByTimeAsync(1000);
  Socket.made[1]!.close();
  await vi.advanceTimersByTimeAsync(10);
  expect(asked).toEqual([17, 18].map((since) => `/api/v1/tables/t1/events?since=${since}&wait=20&invite=let-me-in`));
  expect(heard).toEqual([18]);
  expect(links.at(-1)).toBe("polling");
  expect(live.act({ hand: 1, step: 0, move: "fold" })).toBe(false);
});

test("a table that is closed is not asked about for ever", async () => {
  let asked = 0;
  vi.stubGlobal("fetch", async () => {
    asked += 1;
    return { ok: false, status: 404, json: async () => ({ error: { code: "no_table", message: "closed" } }) };
  });
  Socket.made[0]!.close();
  await vi.advanceTimersByTimeAsync(1000);
  Socket.made[1]!.close();
  await vi.advanceTimersByTimeAsync(100_000);
  expect(asked).toBe(1);
  expect(links.at(-1)).toBe("closed");
  expect(Socket.made.length).toBe(2);
});

test("a connection that no longer answers is given up", () => {
  const first = Socket.made[0]!;
  first.open();
  vi.advanceTimersByTime(90_000);
  expect(first.sent[0]).toBe('{"type":"ping"}');
  expect(Socket.made.length).toBeGreaterThan(1);
});
