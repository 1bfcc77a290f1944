// One checker at a time towards a legal play. What is legal the server has said: `finals` are the boards after every
// legal play; here checkers are only moved, and a move is offered if it leads to one of them.

import { OPPONENT_BAR } from "./position.js";

export const key = board => board.join();

function moved(board, from, to) {
  const after = [...board];
  after[from] -= 1;
  if (to === 0) return after; // borne off
  if (after[to] === -1) {
    after[to] = 0;
    after[OPPONENT_BAR] -= 1;
  }
  after[to] += 1;
  return after;
}

const without = (dice, die) => dice.toSpliced(dice.indexOf(die), 1);

// Every move of one die from `board` that leads to a legal play: {from, to, board, dice}, the last two after it.
export function nextMoves(board, dice, finals, known = new Map()) {
  const found = [];
  for (const die of new Set(dice)) {
    for (let from = 25; from > 0; from--) {
      const to = Math.max(from - die, 0);
      if (board[from] <= 0 || (to > 0 && board[to] < -1)) continue;
      const after = moved(board, from, to), rest = without(dice, die);
      if (leadsOn(after, rest, finals, known)) found.push({ from, to, board: after, dice: rest });
    }
  }
  return found;
}

function leadsOn(board, dice, finals, known) {
  const name = key(board);
  if (finals.has(name)) return true;
  const at = `${name}|${dice}`;
  if (!known.has(at)) known.set(at, dice.length > 0 && nextMoves(board, dice, finals, known).length > 0);
  return known.get(at);
}

// Where the checker on `from` may go with one or more dice: a Map from each place to the moves that lead there.
export function ways(board, dice, finals, from) {
  const known = new Map(), targets = new Map();
  const go = (board, dice, at, path) => {
    for (const move of nextMoves(board, dice, finals, known)) {
      if (move.from !== at) continue;
      const way = [...path, move];
      if (!targets.has(move.to) || targets.get(move.to).length > way.length) targets.set(move.to, way);
      if (move.to > 0) go(move.board, move.dice, move.to, way);
    }
  };
  go(board, dice, from, []);
  return targets;
}
