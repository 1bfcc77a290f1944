// The player's answers as tables.

const signed = (number, digits = 3) => `${number < 0 ? "−" : "+"}${Math.abs(number).toFixed(digits)}`;
const percent = chance => (100 * chance).toFixed(1);

// The field's cumulative chances of six exclusive ones: win, gammon, backgammon, then the same lost.
export function chances(outcomes) {
  return [0, 3].flatMap(side => [0, 1, 2].map(from => outcomes.slice(side + from, side + 3).reduce((a, b) => a + b, 0)));
}

const HEADS = ["win", "g", "bg", "lose", "g", "bg"];

function cells(outcomes) {
  return chances(outcomes).map((chance, i) => `<td class="number ${i % 3 ? "detail" : ""}">${percent(chance)}</td>`);
}

function heads() {
  return HEADS.map((head, i) => `<th class="number ${i % 3 ? "detail" : ""}">${head}</th>`);
}

// A table of the plays in an answer; each play is a button with its index as data-play.
export function playsTable(answer) {
  if (!answer.plays.length) return "<p>No legal play: the turn passes.</p>";
  const rows = answer.plays.map((each, i) => {
    const behind = i ? signed(each.equity - answer.plays[0].equity) : "";
    return `<tr><td><button type="button" class="play" data-play="${i}" aria-pressed="false">${each.play}</button></td>
      <td class="number">${signed(each.equity)}</td><td class="number behind">${behind}</td>
      ${cells(each.outcomes).join("")}</tr>`;
  });
  return `<div class="scroll"><table><caption>Plays of ${answer.roll.join("")}, best first</caption>
    <tr><th>play</th><th class="number">equity</th><th class="number"></th>${heads().join("")}</tr>
    ${rows.join("")}</table></div><p class="note">Chances in per cent. Choose a play to see it on the board.</p>`;
}

// What to do with the cube, and what each action is worth.
export function cubeTable(answer) {
  const rows = [["no double", answer.nd], ["double, take", answer.dt], ["double, pass", answer.dp]]
    .filter(([, equity]) => equity !== null)
    .map(([what, equity]) => `<tr><td>${what}</td><td class="number">${signed(equity)}</td></tr>`);
  const points = [["opponent's take point", answer.take_point], ["doubling point", answer.doubling_point],
    ["cash point", answer.cash_point]]
    .filter(([, chance]) => chance !== null)
    .map(([what, chance]) => `<tr><td>${what}</td><td class="number">${percent(chance)} %</td></tr>`);
  const optional = answer.optional ? " (close: either will do)" : "";
  return `<p class="verdict">${answer.action}${optional}</p><div class="scroll"><table>
    ${rows.join("")}${points.join("")}</table></div>${chancesTable(answer)}`;
}

// Who wins how often, before the roll.
export function chancesTable(answer) {
  return `<div class="scroll"><table><tr>${heads().join("")}</tr><tr>${cells(answer.outcomes).join("")}</tr></table></div>
    <p class="note">Chances of the player on roll, in per cent.</p>`;
}
