// The board as an SVG picture that can be clicked and walked over with the keyboard. Light checkers are those of the
// player by whom the position is seen, who sits at the bottom and bears off at the right.

import { BAR, CHECKERS, OFF, OPPONENT_BAR, OPPONENT_OFF, flip, own } from "./position.js";

const COLUMN = 44, RADIUS = 20.5, BAR_WIDTH = 50, HALF = 250, SIDE = 53, FRAME = 8, EDGE = 30;
const TRAY = HALF - 36, THICKNESS = 13, FULL_STACK = 5;
const WIDTH = 2 * SIDE + 12 * COLUMN + BAR_WIDTH, HEIGHT = 2 * EDGE + 2 * HALF, MIDDLE = HEIGHT / 2;
const FACES = ["", "4", "08", "048", "0268", "02468", "023568"]; // which of nine spots show a pip
const FOCUS_ROWS = [
  [13, 14, 15, 16, 17, 18, OPPONENT_BAR, 19, 20, 21, 22, 23, 24, OPPONENT_OFF],
  [12, 11, 10, 9, 8, 7, BAR, 6, 5, 4, 3, 2, 1, OFF],
];

const places = new Map(); // x of the middle, and `down`: 1 in the bottom half, -1 in the top half
FOCUS_ROWS.forEach((row, bottom) => row.forEach((place, column) => {
  const down = bottom ? 1 : -1;
  if (column === 6) places.set(place, { x: WIDTH / 2, down, bar: true });
  else if (column === 13) places.set(place, { x: WIDTH - SIDE / 2 + FRAME / 2, down, tray: true });
  else places.set(place, { x: SIDE + (column - (column > 6) + 0.5) * COLUMN + (column > 6) * BAR_WIDTH, down });
}));

const rectangle = (x, y, width, height, kind, rounded = 0) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${rounded}" class="${kind}"/>`;
const text = (x, y, words, size, kind) =>
  `<text x="${x}" y="${y + 0.36 * size}" font-size="${size}" class="${kind}">${words}</text>`;

export class Board {
  // `chosen(place, event)` is called when a place is clicked or entered: 0 to 25, "off" or "opponent-off".
  constructor(svg, chosen) {
    this.svg = svg;
    svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
    svg.innerHTML = [frame(), '<g class="things"></g>', ...[...places.keys()].map(hitArea)].join("");
    this.things = svg.querySelector(".things");
    this.areas = new Map([...svg.querySelectorAll("[data-place]")].map(area => [placeOf(area), area]));
    svg.addEventListener("click", event => {
      const area = event.target.closest("[data-place]");
      if (area) chosen(placeOf(area), event);
    });
    svg.addEventListener("keydown", event => this.key(event, chosen));
    this.focusable(6);
  }

  // seen: board (26 numbers), and if wanted: roll, used (how many dice are spent), theirs (the roll is the opponent's),
  // cube {value, owner, offered to "mover" or "opponent"}, marks (Map from place to a class), names [own, opponent's].
  show(seen) {
    const names = seen.names ?? ["light", "dark"];
    this.things.innerHTML = [
      ...seen.board.flatMap((count, place) => stack(place, count)),
      ...tray(OFF, CHECKERS - own(seen.board), "light"),
      ...tray(OPPONENT_OFF, CHECKERS - own(flip(seen.board)), "dark"),
      ...(seen.cube ? cube(seen.cube) : []),
      ...(seen.roll ?? []).map((die, i) => dieFace(die, i, seen)),
    ].join("");
    for (const [place, area] of this.areas) {
      const mark = seen.marks?.get(place) ?? "";
      area.setAttribute("class", `place ${mark}`);
      area.setAttribute("aria-label", [label(place, seen.board, names), mark && `(${mark})`].filter(Boolean).join(" "));
    }
  }

  key(event, chosen) {
    const place = placeOf(event.target);
    if (place === null) return;
    if (event.key === "Enter" || event.key === " " || event.key === "+" || event.key === "-") {
      event.preventDefault();
      chosen(place, event);
      return;
    }
    const row = FOCUS_ROWS.findIndex(row => row.includes(place)), column = FOCUS_ROWS[row].indexOf(place);
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (!step) return;
    event.preventDefault();
    const to = FOCUS_ROWS[Math.min(Math.max(row + step[0], 0), 1)][(column + step[1] + 14) % 14];
    this.focusable(to);
    this.areas.get(to).focus();
  }

  // Tab leads to this place; the arrow keys lead on to the others.
  focusable(place) {
    for (const [each, area] of this.areas) area.setAttribute("tabindex", each === place ? 0 : -1);
  }
}

function placeOf(element) {
  const place = element.dataset?.place;
  return place === undefined ? null : /^\d/.test(place) ? Number(place) : place;
}

function frame() {
  const width = WIDTH - 2 * SIDE, parts = [];
  parts.push(rectangle(SIDE - FRAME, EDGE - FRAME, width + 2 * FRAME, 2 * HALF + 2 * FRAME, "wood", 5));
  for (const half of [0, 1]) {
    parts.push(rectangle(SIDE + half * (6 * COLUMN + BAR_WIDTH), EDGE, 6 * COLUMN, 2 * HALF, "field"));
  }
  for (let point = 1; point <= 24; point++) {
    const { x, down } = places.get(point), base = MIDDLE + down * HALF;
    const corners = `${x - COLUMN / 2},${base} ${x + COLUMN / 2},${base} ${x},${base - down * 0.84 * HALF}`;
    parts.push(`<polygon points="${corners}" class="${point % 2 ? "dark-point" : "light-point"}"/>`);
    parts.push(text(x, base + down * (FRAME + 11), point, 14, "number"));
  }
  return parts.join("");
}

function hitArea(place) {
  const { x, down, bar, tray } = places.get(place);
  const width = bar ? BAR_WIDTH : tray ? SIDE : COLUMN, top = down < 0;
  const area = rectangle(x - width / 2, top ? 0 : MIDDLE, width, MIDDLE, "area", 4);
  const tip = MIDDLE + down * (bar ? 8 : HALF - 8);
  return `<g role="button" data-place="${place}">${area}<circle cx="${x}" cy="${tip}" r="6" class="dot"/></g>`;
}

function label(place, board, names) {
  if (place === OFF || place === OPPONENT_OFF) {
    const side = place === OFF ? board : flip(board);
    return `borne off: ${CHECKERS - own(side)} ${names[place === OFF ? 0 : 1]}`;
  }
  const where = place === BAR ? `bar of ${names[0]}` : place === OPPONENT_BAR ? `bar of ${names[1]}` : `point ${place}`;
  const count = board[place];
  return `${where}: ${count ? `${Math.abs(count)} ${names[count > 0 ? 0 : 1]}` : "empty"}`;
}

function stack(place, count) {
  const { x, down, bar } = places.get(place), kind = count > 0 ? "light" : "dark", shown = [];
  const height = i => MIDDLE + down * (bar ? (2 * i + 1.4) * RADIUS : HALF - (2 * i + 1) * RADIUS - 1);
  const drawn = Math.min(Math.abs(count), FULL_STACK);
  for (let i = 0; i < drawn; i++) {
    shown.push(`<circle cx="${x}" cy="${height(i)}" r="${RADIUS - 1}" class="checker ${kind}"/>`);
  }
  if (Math.abs(count) > FULL_STACK) shown.push(text(x, height(FULL_STACK - 1), Math.abs(count), 20, `on-${kind}`));
  return shown;
}

function tray(place, borneOff, kind) {
  const { x, down } = places.get(place), edge = MIDDLE + down * HALF;
  const shown = [rectangle(x - 21, Math.min(edge, edge - down * TRAY), 42, TRAY, "tray", 3)];
  for (let i = 0; i < borneOff; i++) {
    const y = MIDDLE + down * (HALF - 4 - (i + 0.5) * (THICKNESS + 0.7)) - THICKNESS / 2;
    shown.push(rectangle(x - 18, y, 36, THICKNESS, `checker ${kind}`, 3));
  }
  if (borneOff > 0) shown.push(text(x, edge - down * (TRAY + 12), borneOff, 16, "count"));
  return shown;
}

function cube({ value, owner, offered }) {
  const half = BAR_WIDTH / 2 + 3 * COLUMN;
  const x = offered ? WIDTH / 2 + (offered === "mover" ? half : -half) : SIDE / 2 - FRAME / 2;
  const y = offered || owner === "centred" ? MIDDLE : MIDDLE + (owner === "mover" ? 1 : -1) * (HALF - 26);
  const words = String(value);
  return [rectangle(x - 21, y - 21, 42, 42, "cube", 6), text(x, y, words, Math.min(24, 56 / words.length), "on-cube")];
}

function dieFace(die, i, { theirs, used = [] }) {
  const x = WIDTH / 2 + (theirs ? -1 : 1) * (BAR_WIDTH / 2 + 3 * COLUMN) + (i ? 26 : -26), y = MIDDLE;
  const pips = [...FACES[die]].map(Number).map(spot =>
    `<circle cx="${x + ((spot % 3) - 1) * 10}" cy="${y + (Math.floor(spot / 3) - 1) * 10}" r="3.6"/>`);
  const kind = `die ${theirs ? "dark" : "light"} ${used[i] ? "used" : ""}`;
  return `<g class="${kind}">${rectangle(x - 18, y - 18, 36, 36, "face", 6)}${pips.join("")}</g>`;
}
