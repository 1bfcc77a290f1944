// Setting up a position, and asking the player about it. The player on roll has the light checkers.

import { BAR, CHECKERS, MONEY, OFF, OPPONENT_BAR, OPPONENT_OFF, START, flip, own, pips, xgid } from "./position.js";
import { ask } from "./server.js";
import { chancesTable, cubeTable, playsTable } from "./tables.js";

const $ = id => document.getElementById(id);
const options = values => values.map(value => `<option value="${value}">${value || "–"}</option>`).join("");

export class Ask {
  constructor(board) {
    this.drawing = board;
    this.board = [...START];
    this.pending = null;
    this.shown = null; // the board after a play that was chosen in the answer
    this.form = $("state").elements;
    for (const die of [this.form.die1, this.form.die2]) die.innerHTML = options([0, 1, 2, 3, 4, 5, 6]);
    this.form.cube.innerHTML = options([1, 2, 4, 8, 16, 32, 64]);
    $("state").addEventListener("input", () => this.changed());
    $("id-form").addEventListener("submit", event => {
      event.preventDefault();
      this.report(() => this.read($("id-form").elements.id.value));
    });
    $("start").addEventListener("click", () => this.set([...START]));
    $("clear").addEventListener("click", () => this.set(Array(26).fill(0)));
    $("swap").addEventListener("click", () => this.set(flip(this.board)));
    $("ask-plays").addEventListener("click", () => this.report(() => this.plays()));
    $("ask-cube").addEventListener("click", () => this.report(() => this.cube()));
    $("ask-chances").addEventListener("click", () => this.report(() => this.chances()));
    $("answer").addEventListener("click", event => this.choosePlay(event.target.closest("[data-play]")));
  }

  enter() {
    $("actions").replaceChildren();
    this.write();
  }

  // A place of the board was clicked: a checker comes or goes.
  chosen(place, event) {
    if (place === OFF || place === OPPONENT_OFF) return;
    const tool = event.key === "-" ? "remove" : document.querySelector('[name="tool"]:checked').value;
    const only = place === BAR ? "light" : place === OPPONENT_BAR ? "dark" : null; // each side has its own bar
    const board = [...this.board], count = board[place];
    if (tool === "remove") board[place] -= Math.sign(count);
    else {
      const sign = (only ?? tool) === "light" ? 1 : -1;
      board[place] = count * sign < 0 ? sign : count + sign;
    }
    if (own(board) > CHECKERS || own(flip(board)) > CHECKERS) {
      this.say("A side has 15 checkers: remove one first", true);
      return;
    }
    this.set(board);
  }

  set(board) {
    this.board = board;
    this.changed();
  }

  // Something was set by hand: what was answered before isn't about it.
  changed() {
    this.pending = null;
    $("answer").replaceChildren();
    this.write();
  }

  get roll() {
    const dice = [Number(this.form.die1.value), Number(this.form.die2.value)];
    return dice.includes(0) ? null : dice;
  }

  get state() {
    const form = this.form, length = Number(form.match.value);
    return {
      ...MONEY,
      cube: Number(form.cube.value),
      owner: form.owner.value,
      length,
      score: [Number(form.own.value), Number(form.other.value)],
      crawford: form.crawford.checked,
      jacoby: !length && form.jacoby.checked,
      beavers: !length && form.beavers.checked ? 2 : 0,
      pending: this.pending,
    };
  }

  get id() {
    return xgid(this.board, this.state, this.roll);
  }

  // The board and the ID say what is set up.
  write() {
    this.shown = null;
    const { length } = this.state;
    this.form.crawford.disabled = length < 2;
    this.form.jacoby.disabled = this.form.beavers.disabled = length > 0;
    $("id-form").elements.id.value = this.id;
    this.draw(this.board);
    const off = side => `${pips(side)} pips${CHECKERS > own(side) ? `, ${CHECKERS - own(side)} off` : ""}`;
    this.say(`Light ${off(this.board)} · Dark ${off(flip(this.board))}`);
  }

  draw(board) {
    const state = this.state;
    const cube = { value: state.cube * (state.pending ? 2 : 1), owner: state.owner };
    if (state.pending) cube.offered = state.pending === "beaver" ? "mover" : "opponent";  // who must answer
    this.drawing.show({ board, roll: this.roll, cube });
  }

  // The position that an ID says, in the form and on the board.
  async read(text) {
    const found = await ask("/api/show", { position: text }), { state } = found, form = this.form;
    this.board = found.board;
    [form.die1.value, form.die2.value] = found.roll ?? [0, 0];
    if (![...form.cube.options].some(each => Number(each.value) === state.cube)) form.cube.innerHTML += options([state.cube]);
    form.cube.value = state.cube;
    form.owner.value = state.owner;
    form.match.value = state.length;
    [form.own.value, form.other.value] = state.score;
    form.crawford.checked = state.crawford;
    form.jacoby.checked = state.jacoby;
    form.beavers.checked = state.beavers > 0;
    this.changed();
    this.pending = state.pending;
    this.write();
  }

  async plays() {
    if (!this.roll) throw new Error("Choose the dice first");
    const answer = await ask("/api/move", { position: this.id, ply: Number(this.form.ply.value), top: 20 });
    if (answer.finished) throw new Error("The game is over");
    this.answer = answer;
    $("answer").innerHTML = playsTable(answer);
  }

  async cube() {
    const position = xgid(this.board, this.state, null); // the cube comes before the roll
    const answer = await ask("/api/cube", { position, ply: Number(this.form.ply.value) });
    if (answer.finished) throw new Error("The game is over");
    $("answer").innerHTML = cubeTable(answer);
  }

  async chances() {
    const { results } = await ask("/api/evaluate", { positions: [this.id], ply: Number(this.form.ply.value) });
    $("answer").innerHTML = chancesTable(results[0]);
  }

  // Shows the board after a play, or the position again.
  choosePlay(button) {
    if (!button) return;
    const chosen = Number(button.dataset.play);
    this.shown = this.shown === chosen ? null : chosen;
    for (const each of $("answer").querySelectorAll("[data-play]")) {
      each.setAttribute("aria-pressed", Number(each.dataset.play) === this.shown);
    }
    this.draw(this.shown === null ? this.board : this.answer.plays[chosen].board);
  }

  // Does something that may fail, and says why if it does.
  async report(something) {
    document.body.dataset.busy = "";
    try {
      await something();
    } catch (fault) {
      this.say(fault.message, true);
      $("answer").replaceChildren(Object.assign(document.createElement("p"), { className: "fault", textContent: fault.message }));
    } finally {
      delete document.body.dataset.busy;
    }
  }

  say(words, fault = false) {
    $("status").textContent = words;
    $("status").classList.toggle("fault", fault);
  }
}
