// Opens the decision that a link leads to, and the answers of the quiz before printing.
const show = () => {
  const at = location.hash && document.getElementById(location.hash.slice(1));
  if (at && at.matches("details")) { at.open = true; at.scrollIntoView(); }
};
addEventListener("hashchange", show);
addEventListener("beforeprint", () => document.querySelectorAll("details.answer").forEach(each => { each.open = true; }));
show();
