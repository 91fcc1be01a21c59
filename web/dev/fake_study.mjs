// Hands that are over, statistics and sealed deals for the stand-in.
import { createHash } from "node:crypto";
import { Refused } from "./fake_catalogue.mjs";

const hash = (text) => createHash("sha256").update(text).digest("hex");
const hands = [];

/** A deal as it is sealed: each card with a salt of its own. */
export function sealed(deal) {
  const deck = [...deal.own, ...deal.other, ...deal.board];
  const cards = deck.map((card, at) => ({ at, card, salt: hash(`salt ${at} ${card}`).slice(0, 32) }));
  const leaves = cards.map(({ at, card, salt }) => hash(`felt card 2\n${at}\n${salt}\n${card}`));
  return { commitment: hash(`felt deal 2\n${leaves.join("\n")}`), leaves, cards };
}

export function keep(table) {
  const info = table.info();
  const hand = {
    id: `${table.id}-${table.hand}`,
    table: table.id,
    number: table.hand,
    game: info.game,
    title: info.title,
    when: new Date().toISOString(),
    seat: table.seated() ? 0 : -1,
    cards: table.seated() ? table.deal.own : [],
    board: table.state().board,
    won: table.seated() ? table.result.payoffs[0] : 0,
    pot: table.pot,
    big_blind: 2,
    players: table.people,
    text: table.result.text,
  };
  const replay = {
    hand,
    seats: table.people.map((name, seat) => ({ seat, name, agent: seat ? "call" : null, stack: table.began[seat] })),
    button: table.button,
    blinds: [1, 2],
    steps: table.steps,
    all_cards: true,
  };
  hands.unshift({ hand, replay, deal: table.deal });
}

const stat = (key, title, help, count, of, unit = "%") => ({
  key,
  title,
  help,
  value: of ? count / of : null,
  count,
  of,
  unit,
});
const totals = (n, won) => ({
  hands: n,
  won,
  mbb: n ? (500 * won) / n : null,
  mbb_interval: n > 1 ? 900 / Math.sqrt(n) : null,
  stats: [
    stat("vpip", "VPIP", "Hands in which chips were put in before the flop, blinds apart", Math.ceil(n * 0.6), n),
    stat("pfr", "PFR", "Hands raised before the flop", Math.ceil(n * 0.2), n),
    stat(
      "three_bet",
      "3-bet",
      "A raise was raised again, of the times that it could be",
      Math.floor(n * 0.1),
      Math.ceil(n * 0.4),
    ),
    stat("af", "AF", "Bets and raises for each call, after the flop", n, Math.ceil(n / 2), "ratio"),
    stat("wtsd", "WTSD", "Of the hands that saw the flop, those that went to showdown", Math.ceil(n * 0.3), n),
  ],
});

function graph(of) {
  let won = 0;
  const points = [...of]
    .reverse()
    .map(({ hand }, index) => ({ hand: hand.id, n: index + 1, won: (won += hand.won), won_bb: won / 2 }));
  return { points, n: points.length };
}

export function study(what, id, action, query, me, find) {
  if (what === "tables") {
    const here = hands.filter(({ hand }) => hand.table === id);
    const seats = find(id)
      .state()
      .seats.map(
        (seat) =>
          seat && {
            seat: seat.seat,
            name: seat.name,
            agent: seat.agent,
            ...(id.startsWith("scene")
              ? totals(64 + 3 * seat.seat, 40 - 25 * seat.seat)
              : totals(
                  here.length,
                  here.reduce((sum, { hand }) => sum + hand.won * (seat.seat ? -1 : 1), 0),
                )),
          },
      );
    return { seats };
  }
  const own = hands.filter(
    ({ hand }) =>
      (!query.get("game") || hand.game === query.get("game")) &&
      (!query.get("table") || hand.table === query.get("table")),
  );
  if (what === "statistics" && id === "graph") return graph(own);
  if (what === "statistics") {
    const games = [...new Set(hands.map(({ hand }) => hand.game))];
    return {
      games: games.map((game) => {
        const of = hands.filter(({ hand }) => hand.game === game);
        return {
          game,
          title: of[0].hand.title,
          ...totals(
            of.length,
            of.reduce((sum, { hand }) => sum + hand.won, 0),
          ),
        };
      }),
    };
  }
  if (!id) {
    const from = query.get("before") ? own.findIndex(({ hand }) => hand.id === query.get("before")) + 1 : 0;
    const page = own.slice(from, from + Number(query.get("limit") ?? 50));
    return { hands: page.map(({ hand }) => hand), next: from + page.length < own.length ? page.at(-1).hand.id : null };
  }
  const found = hands.find(({ hand }) => hand.id === id);
  if (!found) throw new Refused(404, "no_hand", "There is no such hand.");
  if (action === "deal") return sealed(found.deal);
  if (action) return `the hand as ${action}, cards=${query.get("cards")}\n`;
  const replay = structuredClone(found.replay);
  if (query.get("cards") === "all")
    for (const step of replay.steps) {
      step.state.seats[1].cards = found.deal.other;
      if (step.decision) step.decision.equity_actual = step.decision.seat ? 0.31 : 0.69;
    }
  return replay;
}
