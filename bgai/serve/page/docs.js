// The page for programs, made from what the server says of itself in /openapi.json: what may be asked, and trying it.

const $ = (name, properties, ...children) => {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
};

const api = await (await fetch("/openapi.json")).json();
const page = document.getElementById("paths");
page.append($("p", { textContent: `${api.info.description} A question is a JSON object, sent by POST as
  application/json; the answer is what the command of the same name prints with --json. What can't be answered gets
  {"error": …}, which says what was wrong. The OpenAPI description: ` }, $("a", { href: "/openapi.json", textContent: "/openapi.json" })));
for (const [path, methods] of Object.entries(api.paths)) {
  for (const [method, told] of Object.entries(methods)) page.append(article(path, method, told));
}

function article(path, method, told) {
  const schema = resolved(told.requestBody?.content["application/json"].schema);
  const fields = schema
    ? Object.entries(schema.properties).map(([name, field]) => [name, resolved(field), schema.required?.includes(name)])
    : told.parameters.map(each => [each.name, each.schema, each.required]);
  const rows = fields.map(([name, field, required]) => $("tr", {},
    $("td", { textContent: name }), $("td", { textContent: kind(field) }),
    $("td", { textContent: required ? "needed" : `else ${JSON.stringify(field.default ?? null)}` }),
    $("td", {}, ...prose(field.description ?? ""))));
  return $("article", {}, $("h2", { textContent: `${method.toUpperCase()} ${path}` }),
    $("p", {}, ...prose(told.description)), $("div", { className: "scroll" }, $("table", {}, ...rows)),
    ...(schema ? trial(path, schema.examples[0]) : []));
}

function trial(path, example) {
  const question = $("textarea", { rows: 4, value: JSON.stringify(example), ariaLabel: `Question to ${path}`, spellcheck: false });
  const answer = $("pre", { hidden: true }), button = $("button", { type: "button", textContent: "Ask" });
  button.addEventListener("click", async () => {
    button.disabled = true;
    answer.hidden = false;
    try {
      const reply = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: question.value });
      answer.textContent = `${reply.status}\n${await reply.text()}`;
    } catch {
      answer.textContent = "The server doesn't answer.";
    }
    button.disabled = false;
  });
  return [question, button, answer];
}

// Words between backticks are code.
function prose(text) {
  return text.split("`").map((part, i) => (i % 2 ? $("code", { textContent: part }) : part));
}

function resolved(schema) {
  return schema?.$ref ? api.components.schemas[schema.$ref.split("/").at(-1)] : schema;
}

// "integer, 0 to 2", "text", "text or null".
function kind(field) {
  if (field.anyOf) return field.anyOf.map(kind).join(" or ");
  if (field.enum) return field.enum.join(", ");
  if ("const" in field) return String(field.const);
  if (field.type === "array") return `list of ${field.minItems} to ${field.maxItems}`;
  const least = field.minimum ?? (field.exclusiveMinimum === undefined ? null : `over ${field.exclusiveMinimum}`);
  const most = field.maximum ?? field.exclusiveMaximum;
  return [field.type.replace("string", "text"), least !== null && most !== undefined && `${least} to ${most}`]
    .filter(Boolean).join(", ");
}
