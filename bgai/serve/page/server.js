// Asking the server: one JSON object there, one back.

export async function ask(path, question) {
  let reply;
  try {
    reply = await fetch(path, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(question),
    });
  } catch {
    throw new Error("The server doesn't answer: is it still running?");
  }
  const answer = await reply.json();
  if (!reply.ok) throw new Error(answer.error);
  return answer;
}
