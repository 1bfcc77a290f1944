// A game against the player. Where it stands is kept here and in the browser's storage; the server decides what is legal,
// throws the dice and plays its side.

import { key, nextMoves, ways } from "./moves.js";
import { MONEY, OFF, START, flip, pips, xgid } from "./position.js";
import { ask } from "./server.js";

const $ = id => document.getElementById(id);
const wait = seconds => new Promise(done => setTimeout(done, 1000 * seconds));
const asked = new URLSearchParams(location.search);
const STORE = "bgai-game";
const PAUSE = asked.has("quick") || matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 0.8; // seconds
const NAMES = { you: "You", it: "It" };
const DID = {
  double: ["double", "doubles"], take: ["take", "takes"], pass: ["pass", "passes"], resign: ["resign", "resigns"],
};
const BUTTONS = { roll: "Roll", double: "Double", take: "Take", pass: "Pass" };

export class Play {
  constructor(board) {
    this.drawing = board;
    this.busy = false;
    this.random = randomNumbers(asked.get("seed"));
    $("new-game").addEventListener("submit", event => {
      event.preventDefault();
      this.begin(new FormData(event.target));
    });
    $("actions").addEventListener("click", event => this.act(event.target.dataset.action));
    $("actions").addEventListener("change", event => this.act(event.target.value));
    const kept = asked.has("seed") ? null : localStorage.getItem(STORE);
    this.game = kept ? JSON.parse(kept) : null;
    if (this.game) this.startTurn();
  }

  enter() {
    this.show();
  }

  // A match or money game; `settings` is the form.
  begin(settings) {
    const length = Number(settings.get("match"));
    const state = { ...MONEY, length, jacoby: !length && settings.get("jacoby") !== null };
    this.game = {
      position: xgid(START, state, null), yours: true, level: settings.get("level"), ply: Number(settings.get("ply")),
      score: [0, 0], length, lines: [],
    };
    this.turn = this.last = null;
    this.busy = false; // whatever the game before still waits for
    this.line("game", length ? `Match to ${length}` : `Money game${state.jacoby ? ", Jacoby rule" : ""}`);
    this.send("begin");
  }

  // What you do goes to the server, and what comes of it is shown step by step.
  async send(action) {
    if (this.busy) return;
    const game = this.game, { position, yours, level, ply } = game;
    const before = this.turn?.board;
    this.busy = true;
    this.show();
    try {
      const now = await ask("/api/game", { position, yours, action, level, ply, seed: this.random() });
      if (this.game !== game) return; // another game was begun meanwhile
      this.fault = null;
      await this.tell(now, action, before);
      Object.assign(game, {
        position: now.position, yours: now.yours, board: now.board, roll: now.roll, state: now.state,
        actions: now.actions, plays: now.plays, over: now.over,
      });
      if (now.over) this.finish(now.over);
    } catch (fault) {
      this.fault = fault.message;
    }
    if (this.game !== game) return;
    this.busy = false;
    localStorage.setItem(STORE, JSON.stringify(game));
    this.startTurn();
  }

  async tell(now, action, before) {
    if (action === "begin") {
      const first = now.events[0]?.player ?? "you";
      this.line("game", `Opening roll ${(now.events[0] ?? now).roll.join("")}: ${NAMES[first].toLowerCase()} to start`);
    }
    this.last = new Map();
    for (const event of now.events) {
      const its = event.player === "it", word = DID[event.did]?.[its ? 1 : 0];
      this.line(event.player, event.play
        ? `${NAMES[event.player]}: ${event.roll.join("")} ${event.play}`
        : `${NAMES[event.player]} ${word ?? event.did}`);
      if (!event.play) continue;
      const [from, to] = its ? [flip(event.board), flip(event.after)] : [event.board, event.after];
      if (its || key(before ?? []) !== key(to)) await this.step(from, to, event.roll, its);
    }
    if (action.startsWith("resign") && !now.over) this.line("it", "It declines your resignation");
  }

  // A play that isn't made by hand: the dice, then the checkers.
  async step(from, to, roll, its) {
    const cube = this.cube();
    if (PAUSE) {
      this.drawing.show({ board: from, roll, theirs: its, cube, names: ["yours", "its"] });
      this.say(`${its ? "It rolls" : "You roll"} ${roll.join("")}`);
      await wait(PAUSE);
    }
    this.last = new Map(to.map((count, place) => [place, its ? from[place] - count : count - from[place]])
      .filter(([place, more]) => more > 0 && place % 25).map(([place]) => [place, "last"]));
    this.drawing.show({ board: to, roll, theirs: its, cube, marks: this.last, names: ["yours", "its"] });
    if (PAUSE) await wait(PAUSE);
  }

  finish(over) {
    const { game } = this, points = Math.abs(over.points);
    game.score = over.score;
    const who = over.points > 0 ? "You win" : "It wins";
    game.result = `${who} ${points} point${points > 1 ? "s" : ""}${over.next ? "" : " and the match"}`;
    this.line("game", `${game.result}: ${over.score[0]}–${over.score[1]}`);
  }

  // It is for you to decide: the checkers are as the server says, and nothing is moved yet.
  startTurn() {
    const { game } = this;
    const board = game.yours ? game.board : game.board && flip(game.board);
    this.turn = board && { board, dice: [], path: [] };
    if (this.turn && game.plays?.length) {
      const [a, b] = game.roll;
      this.turn.dice = a === b ? [a, a, a, a] : [a, b];
      this.turn.finals = new Set(game.plays.map(play => key(play.board)));
    }
    this.source = null;
    this.busy = !this.fault && Boolean(game.actions?.includes("roll")) && !game.actions.includes("double");
    this.show();
    if (this.busy) wait(PAUSE / 2).then(() => this.rollAtOnce(game));
  }

  // There is nothing to decide before this roll.
  rollAtOnce(game) {
    if (this.game !== game) return;
    this.busy = false;
    this.send("roll");
  }

  get playing() {
    return !this.busy && this.turn?.finals;
  }

  get complete() {
    return this.playing && this.turn.finals.has(key(this.turn.board));
  }

  // A place of the board was clicked.
  chosen(place) {
    if (!this.playing) return;
    const { board, dice, finals } = this.turn, target = place === OFF ? 0 : place;
    const open = this.source === null ? new Map() : ways(board, dice, finals, this.source);
    const again = place === this.source && open.size ? open.keys().next().value : target;
    if (this.source !== null && open.has(again)) {
      this.move(open.get(again));
    } else {
      const movable = nextMoves(board, dice, finals).some(move => move.from === place);
      this.source = movable && place !== this.source ? place : null;
    }
    this.show();
  }

  move(way) {
    for (const step of way) {
      this.turn.path.push({ board: this.turn.board, dice: this.turn.dice });
      Object.assign(this.turn, { board: step.board, dice: step.dice });
    }
    this.source = null;
    this.last = new Map();
  }

  undo() {
    if (!this.turn?.path.length) return;
    Object.assign(this.turn, this.turn.path.pop());
    this.source = null;
    this.show();
  }

  act(action) {
    if (!action || this.busy) return;
    if (action === "undo") this.undo();
    else if (action === "hint") this.hint();
    else if (action === "next") this.nextGame();
    else if (action === "done") {
      const name = key(this.turn.board);
      this.send(this.game.plays.find(play => key(play.board) === name).play);
    } else this.send(action);
  }

  key(pressed) {
    const action = { u: "undo", d: "done", r: "roll" }[pressed.toLowerCase()];
    if (pressed === "Escape") {
      this.source = null;
      this.show();
    } else if (action) $("actions").querySelector(`[data-action="${action}"]:not(:disabled)`)?.click();
  }

  nextGame() {
    Object.assign(this.game, { position: this.game.over.next, yours: true, over: null });
    this.send("begin");
  }

  async hint() {
    const { game } = this;
    const said = await ask("/api/move", { position: game.position, ply: game.ply, top: 1 })
      .then(({ plays }) => [`Hint: ${plays[0].play}`], fault => [fault.message, true]);
    if (this.game === game && this.playing) this.say(...said);
  }

  // What is seen

  show() {
    const { game, turn } = this;
    document.body.dataset.stage = this.busy ? "busy" : this.stage();
    $("score").textContent = game ? this.scoreText() : "";
    $("log").innerHTML = game ? game.lines.map(([who, words]) => `<li class="${who}">${words}</li>`).join("") : "";
    $("log").parentElement.scrollTop = $("log").parentElement.scrollHeight;
    if (this.busy) {
      for (const each of $("actions").children) each.disabled = true;
    } else {
      $("actions").innerHTML = game ? this.buttons() : "";
      this.say(this.fault ?? this.statusText(), Boolean(this.fault));
    }
    if (turn) {
      const used = this.used();
      this.drawing.show({
        board: turn.board, roll: game.roll, used, cube: this.cube(), marks: this.marks(), names: ["yours", "its"],
      });
    } else this.drawing.show({ board: START, cube: { value: 1, owner: "centred" }, names: ["yours", "its"] });
  }

  // "none", "roll", "play", "answer" or "over".
  stage() {
    const { game } = this;
    if (!game?.actions) return "none";
    if (game.over) return "over";
    if (game.plays.length) return "play";
    return game.actions.includes("roll") ? "roll" : "answer";
  }

  // Which of the two dice drawn are spent: of a double the first after two moves.
  used() {
    const { roll } = this.game, { dice } = this.turn;
    if (!this.turn.finals) return [];
    if (roll[0] === roll[1]) return [dice.length <= 2, dice.length === 0];
    return roll.map(die => !dice.includes(die));
  }

  marks() {
    const marks = new Map(this.last ?? []);
    if (!this.playing) return marks;
    const { board, dice, finals } = this.turn;
    if (this.source === null) {
      for (const { from } of nextMoves(board, dice, finals)) marks.set(from, "movable");
    } else {
      marks.set(this.source, "chosen");
      for (const to of ways(board, dice, finals, this.source).keys()) marks.set(to === 0 ? OFF : to, "target");
    }
    return marks;
  }

  cube() {
    const { state, yours } = this.game;
    if (!state) return { value: 1, owner: "centred" };
    const away = state.score.map(points => state.length - points);
    if (state.crawford || state.length === 1 || (state.length && away[0] === 1 && away[1] === 1)) return null;
    const owner = yours || state.owner === "centred" ? state.owner : { mover: "opponent", opponent: "mover" }[state.owner];
    return state.pending ? { value: 2 * state.cube, owner, offered: "mover" } : { value: state.cube, owner };
  }

  buttons() {
    const { game } = this, actions = game.actions ?? [];
    const button = (action, words, main, enabled = true) =>
      `<button type="button" data-action="${action}" ${main ? 'class="main"' : ""} ${enabled ? "" : "disabled"}>${words}</button>`;
    const shown = actions.filter(each => each in BUTTONS).map(each => button(each, BUTTONS[each], each !== "double"));
    if (this.playing) {
      shown.push(button("done", "Done", true, this.complete), button("undo", "Undo", false, this.turn.path.length > 0));
      shown.push(button("hint", "Hint"));
    }
    if (game.over?.next) shown.push(button("next", "Next game", true));
    const resign = actions.filter(each => each.startsWith("resign"));
    if (resign.length && !game.over) {
      const options = resign.map(each => `<option value="${each}">${each.replace("resign ", "")}</option>`);
      shown.push(`<select aria-label="Resign"><option value="">Resign…</option>${options.join("")}</select>`);
    }
    return shown.join("");
  }

  statusText() {
    const { game } = this;
    switch (this.stage()) {
      case "over": return game.result;
      case "roll": return "Your turn: roll, or double?";
      case "answer": return `It doubles to ${2 * game.state.cube}: take or pass?`;
      case "play":
        if (this.complete) return "Done, or undo";
        return `You to play ${game.roll.join("")}`;
      default: return "Start a game, or ask about a position";
    }
  }

  scoreText() {
    const { game, turn } = this, count = turn ? ` · pips ${pips(turn.board)}, ${pips(flip(turn.board))}` : "";
    const crawford = game.state?.crawford ? ", Crawford game" : "";
    const what = game.length ? `Match to ${game.length}${crawford}` : "Money";
    return `${what} · You ${game.score[0]}, it ${game.score[1]}${count}`;
  }

  line(who, words) {
    this.game.lines.push([who, words]);
  }

  say(words, fault = false) {
    $("status").textContent = words;
    $("status").classList.toggle("fault", fault);
  }
}

// Numbers for the dice: from the browser's own source, or from a seed so that a game can be had again.
function randomNumbers(seed) {
  if (seed === null) return () => crypto.getRandomValues(new Uint32Array(1))[0];
  let state = Number(seed);
  return () => (state = (state * 1103515245 + 12345) % 2 ** 31);
}
