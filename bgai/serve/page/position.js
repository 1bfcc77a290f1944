// Positions as the server has them: `board` is 26 numbers seen by one player, whose checkers are positive. 1 to 24 are
// that player's points, 25 that player's bar and 0 the opponent's.

export const CHECKERS = 15, BAR = 25, OPPONENT_BAR = 0, OFF = "off", OPPONENT_OFF = "opponent-off";
export const START = [0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0];

export const flip = board => board.map(count => -count).reverse().map(count => count || 0);
export const own = board => board.reduce((sum, count) => sum + Math.max(count, 0), 0);
export const pips = board => board.reduce((sum, count, point) => sum + Math.max(count, 0) * point, 0);

const LETTERS = "-ABCDEFGHIJKLMNO";
const letter = count => (count < 0 ? LETTERS[-count].toLowerCase() : LETTERS[count]);

const TURNED_AT_ONCE = { beaver: 1, raccoon: 2 }; // how often the cube was turned since the double
const LARGEST_CUBE_LOG = 10; // written in every XGID whose cube isn't larger

// The XGID of a position of the player on roll. `state` is as in the server's answers, `roll` two dice or null.
export function xgid(board, state, roll) {
  const turned = TURNED_AT_ONCE[state.pending] ?? 0, log = Math.log2(state.cube) - turned;
  // Cube and owner are those before the first double until the whole exchange is settled.
  const owner = turned ? Number(log > 0) : { mover: 1, centred: 0, opponent: -1 }[state.owner];
  const rules = state.length ? Number(state.crawford) : Number(state.jacoby) + 2 * Number(state.beavers > 0);
  const waiting = { double: "D", beaver: "B", raccoon: "R" }[state.pending];
  const fields = [log, owner, 1, waiting ?? (roll ? roll.join("") : "00"), ...state.score, rules, state.length,
    Math.max(log, LARGEST_CUBE_LOG)];
  return `XGID=${board.map(letter).join("")}:${fields.join(":")}`;
}

export const MONEY = {
  cube: 1, owner: "centred", length: 0, score: [0, 0], crawford: false, jacoby: false, beavers: 0, pending: null,
};
