// Where events are sent, and what became of each.

import { change, may } from "./api.js";
import { ask, choice, code, el, facts, link, moment, number, pill, say, table } from "./dom.js";

export const destinations = {
  title: () => "Destinations",
  scope: "events:read",
  load: async (view, read) => [await read("event_destinations", { limit: 100 })],
  draw: (view, list) => table("Event destinations", ["Address", "Status", "Added", "Id"],
    list.data.map((one) => el("tr", {},
      el("th", { scope: "row" }, link(`#/destinations/${one.id}`, one.url)), el("td", {}, pill(one.status)),
      el("td", {}, moment(one.created_at)), el("td", {}, code(one.id)))),
    "Events are sent nowhere yet. A destination is added by POST /v1/event_destinations."),
};

function outcome(one) {
  const last = one.attempts.at(-1);
  if (!last) return el("span", { class: "soft" }, one.status === "pending" ? "not tried yet" : "not tried");
  return [last.status ? `HTTP ${last.status}` : say(last.failure), el("span", { class: "soft" },
    ` · ${one.attempts.length === 1 ? "1 try" : `${one.attempts.length} tries`} · ${number(last.duration_ms)} ms`)];
}

function replay(view, one) {
  if (!may("events:write")) {
    return el("p", { class: "soft" }, "Your API key lacks the scope ", code("events:write"), ": you may look, not replay.");
  }
  const act = async (body) => {
    const answer = await change(`event_destinations/${encodeURIComponent(one.id)}/replay`, body);
    view.again();
    return `${number(answer.queued)} events are queued again.`;
  };
  return el("div", { class: "buttons", role: "group", "aria-label": "Replay" },
    el("button", { type: "button", class: "primary", "data-focus": "dead", onclick: () => ask({
      title: "Send dead letters again?", confirm: "Send again", act: () => act({ dead_letters: true }),
      words: ["Every delivery that was given up is tried again, and a disabled destination is enabled. The events keep their ids: a receiver that has one already can tell."],
    }) }, "Send dead letters again"),
    el("button", { type: "button", "data-focus": "since", onclick: () => ask({
      title: "Send events again?", confirm: "Send again",
      words: ["Every event from this moment on is sent again, also what was delivered."],
      fields: [el("div", { class: "field" }, el("label", { for: "from" }, "From, in your own time"),
        el("input", { id: "from", name: "from", type: "datetime-local", required: true }))],
      act: (form) => act({ from_time: new Date(form.get("from")).toISOString() }),
    }) }, "Send again from a time"));
}

export const destination = {
  title: () => "Destination",
  scope: "events:read",
  tools: (view) => choice("Which deliveries", "deliveries",
    [["", "All"], ["pending", "Pending"], ["delivered", "Delivered"], ["dead", "Dead"]], view.state.status ?? "", (value) => {
      view.state = { status: value };
      view.again();
    }),
  load: async (view, read) => [await read(`event_destinations/${encodeURIComponent(view.id)}`,
    { status: view.state.status, limit: 25, cursor: view.state.cursor })],
  draw: (view, one) => [
    el("p", { class: "headline" }, el("strong", { class: "address" }, one.url), " ", pill(one.status), " ", code(one.id)),
    facts([["Added", moment(one.created_at)], ["Changed", moment(one.updated_at)],
      one.former_secret_until && ["Former secret signs until", moment(one.former_secret_until)]]),
    replay(view, one),
    el("h2", {}, "Deliveries"),
    table("Deliveries, the newest first", ["Queued", "Event", "Card", "Status", "Last try", "Next try"],
      one.deliveries.data.map((each) => el("tr", {},
        el("th", { scope: "row" }, moment(each.queued_at)), el("td", {}, code(each.type)), el("td", {}, each.card ? code(each.card) : "–"),
        el("td", {}, pill(each.status)), el("td", {}, outcome(each)), el("td", {}, moment(each.next_attempt_at)))),
      "No delivery is like that."),
    one.deliveries.next_cursor ? el("p", { class: "pager" }, el("button", { type: "button", "data-focus": "older", onclick() {
      view.state.cursor = one.deliveries.next_cursor;
      view.again();
    } }, "Older")) : null,
  ],
};
