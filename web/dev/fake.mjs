// A stand-in for the service, for work on the page: heads-up hold'em against a caller, and still scenes to look at.
//   node dev/fake.mjs [port]     then open http://127.0.0.1:8766 (the built page) or `npm run dev`
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { AGENTS, Refused, VARIANTS } from "./fake_catalogue.mjs";
import { frame } from "./fake_socket.mjs";
import { study } from "./fake_study.mjs";
import { Table } from "./fake_table.mjs";
import { scenes } from "./scenes.mjs";

const PORT = Number(process.argv[2] ?? 8766);
const STATIC = fileURLToPath(new URL("../../src/felt/server/web/static/", import.meta.url));
const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
};
const POLICY = "default-src 'self'; connect-src 'self' ws: wss:; frame-ancestors 'none'";
const SOCKETS = !process.env.FAKE_NO_SOCKETS; // without them the page polls

let me = null;
const accounts = new Map([["grace", "password"]]);
const tables = new Map();

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
    return (
      me && {
        ...me,
        seats: [...tables.values()].filter((table) => table.seated()).map((table) => ({ table: table.id, seat: 0 })),
      }
    );
  }
  if (what === "session" || what === "account") {
    const name = (body.name ?? me?.name ?? "").trim();
    if (id === "logout") return (me = null);
    if (!name || name.length > 24 || name.includes(":"))
      throw new Refused(422, "invalid", 'give a name of 1 to 24 characters, without ":"', "name");
    if (what === "session" && name === "Bo")
      throw new Refused(409, "name_in_use", "somebody called Bo plays now: take another name", "name");
    if (accounts.has(name.toLowerCase()) && (what === "session" || id === "register"))
      throw new Refused(409, "name_taken", `${name} is somebody's account: take another name`, "name");
    if (id === "password" && accounts.get(name.toLowerCase()) !== body.old)
      throw new Refused(401, "wrong_password", "the name or the password is wrong");
    if (id === "login" && accounts.get(name.toLowerCase()) !== body.password)
      throw new Refused(401, "wrong_password", "the name or the password is wrong");
    const code = { recovery_code: "7KQD-M2XA-90TF-4VRB-8HCE" };
    if (id === "recovery-code") return code;
    if (id === "delete") return (accounts.delete(name.toLowerCase()), (me = null));
    if (id === "recover" && body.code !== code.recovery_code)
      throw new Refused(401, "wrong_code", "the name or the recovery code is wrong");
    if (id === "name") accounts.delete(me.name.toLowerCase());
    if (what === "account") accounts.set(name.toLowerCase(), body.new ?? body.password ?? "password");
    return (me = {
      ...(id === "register" || id === "recover" ? code : {}),
      id: "1",
      name,
      guest: what === "session",
      token: "t",
      seats: [],
    });
  }
  if (what === "hands" || what === "statistics" || action === "statistics")
    return study(what, id, action, query, me, find);
  if (what === "variants") return VARIANTS;
  if (what === "agents") return AGENTS;
  if (what === "tables" && !id) {
    if (method === "GET")
      return [
        ...[...tables.values()].map((table) => table.info()),
        scenes["scene-six"].table,
        scenes["scene-stud"].table,
      ];
    const table = new Table(`t${tables.size + 1}`, body, me?.name ?? "Guest");
    tables.set(table.id, table);
    return { table: table.info(), seat: 0 };
  }
  const table = find(id);
  if (action === "act") table.act(0, body);
  if (action === "events") {
    const since = Number(query.get("since"));
    const missed = () => table.messages.filter((message) => message.seq > since);
    if (!missed().length)
      await new Promise((wake) => {
        table.waiting.add(wake);
        setTimeout(wake, 1000 * Number(query.get("wait") ?? 20));
      });
    return { messages: missed() };
  }
  if (action === "leave" || action === "close") tables.delete(id);
  if (action === "close") return null;
  if (action === "away") table.away = body.away;
  if (action === "rebuy") {
    table.stacks[0] = table.info().stack;
    setTimeout(() => table.begin(), 500);
  }
  if (action === "pace") {
    table.pace = body;
    if (!body.paused) table.resume();
  }
  if (action === "step") table.resume();
  return table.state();
}

const server = createServer(async (request, response) => {
  const url = new URL(request.url, "http://fake");
  if (!url.pathname.startsWith("/api/v1/")) return page(url.pathname, response);
  const send = (status, told) =>
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(told));
  try {
    let text = "";
    for await (const part of request) text += part;
    const told = await answer(request.method, url.pathname.slice(8), url.searchParams, text ? JSON.parse(text) : {});
    if (typeof told === "string")
      response
        .writeHead(200, { "Content-Type": "text/plain", "Content-Disposition": "attachment; filename=hand.txt" })
        .end(told);
    else send(200, told);
  } catch (error) {
    send(error.status ?? 500, {
      error: { code: error.code ?? "error", message: error.message, field: error.field ?? null },
    });
  }
});

async function page(path, response) {
  const name = normalize(path === "/" ? "/index.html" : path);
  try {
    const body = await readFile(join(STATIC, name));
    response
      .writeHead(200, {
        "Content-Type": TYPES[extname(name)] ?? "application/octet-stream",
        "Content-Security-Policy": POLICY,
      })
      .end(body);
  } catch {
    response.writeHead(404).end();
  }
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
  const key = createHash("sha1")
    .update(request.headers["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11")
    .digest("base64");
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`,
  );
  for (const message of table.messages)
    if (message.seq > Number(url.searchParams.get("since"))) socket.write(frame(JSON.stringify(message)));
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
      const text = Buffer.from(
        kept.subarray(start + 4, start + 4 + size).map((byte, index) => byte ^ mask[index & 3]),
      ).toString();
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
    socket.write(
      frame(
        JSON.stringify({
          type: "refused",
          error: { code: error.code, message: error.message, field: null },
          hand: told.hand,
          step: told.step,
        }),
      ),
    );
  }
}

server.listen(PORT, "127.0.0.1", () => console.log(`http://127.0.0.1:${PORT}`));
