#!/usr/bin/env node
// A careful player for Felt in JavaScript: JSON lines on standard input and output, nothing to install.
//
// Play it: felt match "cmd:node examples/agents/careful.js" call
"use strict";

const HIGH = "TJQKA";

// One for every high card, two for every own card that has a partner.
function points(own, board) {
  const ranks = [...(own + board)].filter((_, place) => place % 2 === 0);
  const worth = (rank) => HIGH.includes(rank) + 2 * (ranks.filter((other) => other === rank).length > 1);
  return ranks.slice(0, own.length / 2).reduce((sum, rank) => sum + worth(rank), 0);
}

// Raise with four points or more, and now and then with less; call at a price; else fold.
function decide({ own, dice, view: { legal, pot, board } }) {
  if (legal.exchange) return { move: "exchange", cards: own.slice(0, 2 * legal.exchange.least) };
  const value = points(own, board);
  const { call, raise_to: raises } = legal;
  if (raises && (value >= 4 || dice % 16 === 0) && 2 * (call ?? 0) <= pot)
    return { move: "raise", amount: Math.max(raises.least, Math.min(pot, raises.most)) };
  if (call !== null && (!legal.fold || (value >= 2 && call <= pot) || 4 * call <= pot)) return { move: "call" };
  return { move: "fold" };
}

require("node:readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const message = JSON.parse(line);
    let answer;
    if (message.type === "hello")
      answer = { type: "hello", protocol: 1, name: "careful in JavaScript", remembers: false };
    else if (message.type === "act") answer = { id: message.id, ...decide(message) };
    else return;
    process.stdout.write(JSON.stringify(answer) + "\n");
  });
