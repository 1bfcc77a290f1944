// The page: one board, and two things to do with it.

import { Ask } from "./ask.js";
import { Board } from "./board.js";
import { Play } from "./play.js";

const tabs = [...document.querySelectorAll('[role="tab"]')];
const parts = {};
let open = "play";

const board = new Board(document.getElementById("board"), (place, event) => parts[open].chosen(place, event));
parts.play = new Play(board);
parts.ask = new Ask(board);

function choose(tab) {
  open = tab.getAttribute("aria-controls");
  for (const each of tabs) {
    const chosen = each === tab;
    each.setAttribute("aria-selected", chosen);
    each.tabIndex = chosen ? 0 : -1;
    document.getElementById(each.getAttribute("aria-controls")).hidden = !chosen;
  }
  board.svg.classList.toggle("editing", open === "ask");
  document.body.dataset.open = open;
  parts[open].enter();
}

for (const tab of tabs) {
  tab.addEventListener("click", () => choose(tab));
  tab.addEventListener("keydown", event => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    const other = tabs[1 - tabs.indexOf(tab)];
    choose(other);
    other.focus();
  });
}
addEventListener("keydown", event => {
  const typing = event.target.matches?.("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey;
  if (!typing) parts[open].key?.(event.key);
});
choose(tabs[location.hash === "#ask" ? 1 : 0]);
