// Connections, and migrations from one to another.

import { change, may } from "./api.js";
import { ask, bar, code, el, facts, link, moment, number, pill, rate, say, seconds, table } from "./dom.js";

function skew(one) {
  if (one.clock_skew_seconds === null) return el("span", { class: "soft" }, "not measured yet");
  const size = Math.abs(one.clock_skew_seconds);
  if (size < 2) return "as ours";
  return el("span", { class: size > 30 ? "alarm" : "" },
    `${seconds(size)} ${one.clock_skew_seconds > 0 ? "ahead of ours" : "behind ours"}`);
}

export const connections = {
  title: () => "Connections",
  load: async (view, read) => [await read("connections")],
  draw: (view, list) => [
    el("p", { class: "soft" }, "As far as this instance has seen, since it began."),
    el("div", { class: "cards" }, list.data.map((one) => el("article", { class: "card" },
      el("header", {}, el("h2", {}, one.name), pill(one.health)),
      el("p", { class: "soft" }, `${one.provider_name} · ${one.environment}`),
      facts([
        ["Breaker", one.breaker_open ? el("span", { class: "alarm" }, "open: one call a second is let through") : "closed"],
        ["Calls under way", [`${number(one.in_flight)} of ${number(one.in_flight_limit)} `, bar(one.in_flight, one.in_flight_limit)]],
        ["Extra attempts left", number(one.retry_budget)],
        ["Its clock", skew(one)],
        ["Clock looked at", one.clock_measured_at ? moment(one.clock_measured_at) : null],
        ["Tokens are told by", one.token_feed === "none" ? "nobody: the device's word counts" : one.token_feed],
      ]))))],
};

function cohort(one) {
  return one.cohort.percent !== undefined ? `${one.cohort.percent} %` : `${number(one.cohort.card_count)} cards`;
}

export const migrations = {
  title: () => "Migrations",
  scope: "cards:read",
  load: async (view, read) => [await read("migrations", { limit: 50 })],
  draw: (view, list) => table("Migrations, the newest first", ["From → to", "Mode", "Status", "Cohort", "Opened", "Ended"],
    list.data.map((one) => el("tr", {},
      el("th", { scope: "row" }, link(`#/migrations/${one.id}`, `${one.from} → ${one.to}`)),
      el("td", {}, one.mode), el("td", {}, pill(one.status)), el("td", { class: "num" }, cohort(one)),
      el("td", {}, moment(one.created_at)), el("td", {}, moment(one.ended_at)))),
    "This program has not moved from one processor to another. A migration is opened by POST /v1/migrations."),
};

function steps(view, one) {
  const path = `migrations/${encodeURIComponent(one.id)}`;
  const doing = (name, step, said, words, more = {}) => el("button", {
    type: "button", "data-focus": step, class: more.isGrave ? "grave" : more.isMain ? "primary" : "",
    onclick: () => ask({
      title: `${name}?`, words, confirm: name, isGrave: more.isGrave, fields: more.fields,
      async act(form) {
        await change(`${path}/${step}`, more.body?.(form));
        view.again();
        return said;
      },
    }),
  }, name);
  const isLive = one.mode === "live";
  const next = Math.min(100, Math.max(1, (one.cohort.percent ?? 0) * 2));
  const buttons = [];
  if (one.status === "open" && one.cohort.percent !== 100) {
    const field = el("div", { class: "field" }, el("label", { for: "percent" }, "New cohort, in percent of cardholders"),
      el("input", { id: "percent", name: "percent", type: "number", required: true, step: "0.01", min: one.cohort.percent ?? 0,
        max: 100, value: one.cohort.percent === undefined ? 100 : next }));
    buttons.push(doing("Advance", "advance", "The cohort has grown.", [
      `More cardholders are ${isLive ? "served" : "looked at"} by ${one.to}. A cohort only grows; now it is ${cohort(one)}.`,
    ], { isMain: true, fields: [field], body: (form) => ({ cohort: { percent: Number(form.get("percent")) } }) }));
  }
  if (one.status === "open") {
    buttons.push(doing("Pause", "pause", "The migration is paused.",
      ["The cohort cannot grow until the migration is resumed. Who is served by whom stays as it is."]));
  }
  if (one.status === "paused") {
    buttons.push(doing("Resume", "resume", "The migration goes on.", ["The cohort may grow again."], { isMain: true }));
  }
  if (["open", "paused"].includes(one.status)) {
    buttons.push(doing("Roll back", "rollback", "The migration is rolled back.",
      [isLive ? `Everybody is served by ${one.from} again, at once. This ends the migration.`
        : "The shadow ends. Nobody was served by it."], { isGrave: true }));
  }
  if (!buttons.length) return null;
  if (!may("switching:write")) {
    return el("p", { class: "soft" }, "Your API key lacks the scope ", code("switching:write"), ": you may look, not change.");
  }
  return el("div", { class: "buttons", role: "group", "aria-label": "Change the migration" }, buttons);
}

// A rate with the interval that it lies in, drawn from 0 to 100 %.
function interval(one) {
  if (one.rate === null) return el("span", { class: "soft" }, "nothing observed");
  const range = el("span", { class: "range" });
  const dot = el("span", { class: "dot" });
  if (one.interval) {
    range.style.left = `${100 * one.interval.low}%`;
    range.style.width = `${100 * (one.interval.high - one.interval.low)}%`;
  }
  dot.style.left = `${100 * one.rate}%`;
  return el("span", { class: "interval" },
    el("strong", {}, rate(one.rate)), el("span", { class: "track", "aria-hidden": "true" }, range, dot),
    el("span", { class: "soft" }, `${number(one.succeeded)} of ${number(one.observed)}`
      + (one.interval ? `, 95 %: ${rate(one.interval.low)} to ${rate(one.interval.high)}` : "")));
}

const latency = (one) => (one ? `${number(one.p50)} ms · ${number(one.p95)} ms` : "–");

function sides(report) {
  const row = (name, value) => el("tr", {}, el("th", { scope: "row" }, name),
    [report.from, report.to].map((side) => el("td", {}, value(side))));
  return table("Both sides", ["", `From: ${report.from.connection}`, `To: ${report.to.connection}`], [
    row("Attempts", (side) => number(side.attempts)), row("Handed off", (side) => number(side.handed_off)),
    row("Turned away, processor left alone", (side) => number(side.left_alone)),
    row("Handoff succeeds", (side) => interval(side.handoff)),
    row(report.active_by === "token" ? "Then active, by tokens" : "Then added, by devices", (side) => interval(side.activation)),
    row("Gateway, p50 · p95", (side) => latency(side.latency_ms.gateway)),
    row("Processor, p50 · p95", (side) => latency(side.latency_ms.provider)),
    row("Errors", (side) => (side.top_codes.length ? el("ul", { class: "plain" },
      side.top_codes.slice(0, 5).map((one) => el("li", {}, code(one.code), ` ${number(one.count)}`))) : "–")),
  ], "");
}

function shadow(found) {
  if (!found) return null;
  const kinds = found.wallets.length ? Object.keys(found.wallets[0]).filter((name) => name !== "wallet") : [];
  return [el("h2", {}, "What the shadow found"), found.detail ? el("p", { class: "notice" }, found.detail) : null,
    table("What the shadow found", ["Wallet", ...kinds.map(say)], found.wallets.map((one) => el("tr", {},
      el("th", { scope: "row" }, say(one.wallet)), kinds.map((kind) => el("td", { class: "num" }, number(one[kind]))))),
    "Nothing yet.")];
}

function guarding(guard) {
  if (!guard) return null;
  return [el("h2", {}, "Guard"),
    facts([["State", pill(guard.state)], ["Does", say(guard.action)], ["Margin", rate(guard.margin)],
      ["From attempts a side", number(guard.min_attempts)], ["Looked", guard.looked_at && moment(guard.looked_at)], ["Looks next", guard.next_look_at && moment(guard.next_look_at)]]),
    table("Looks", ["Look", "At", "Failed from", "Failed to", "p", "Level", ""], guard.looks.map((look) => el("tr", {},
      el("th", { scope: "row" }, `${say(look.stage)} ${look.number}`), el("td", {}, moment(look.at)),
      [look.from, look.to].map((side) => el("td", { class: "num" }, `${number(side.failed)} of ${number(side.observed)}`)),
      [look.p_value, look.level].map((value) => el("td", { class: "num" }, value.toPrecision(2))),
      el("td", {}, look.tripped ? pill("tripped") : ""))), "It has not compared the sides yet: there are too few attempts.")];
}

export const migration = {
  title: () => "Migration",
  scope: "cards:read",
  async load(view, read) {
    const path = `migrations/${encodeURIComponent(view.id)}`;
    return Promise.all([read(path), read(`${path}/report`)]);
  },
  draw(view, one, report) {
    return [
      el("p", { class: "headline" }, el("strong", {}, `${one.from} → ${one.to}`), " ", pill(one.status), " ", pill(one.mode, "calm"), " ", code(one.id)),
      one.why ? el("p", { class: "notice" }, one.why) : null,
      el("section", { class: "card", "aria-label": "Progress" },
        el("p", { class: "progress" }, el("strong", {}, cohort(one)),
          el("span", { class: "soft" }, one.mode === "live" ? ` of cardholders are served by ${one.to}` : " of cardholders are looked at in the shadow")),
        one.cohort.percent !== undefined ? bar(one.cohort.percent, 100) : null,
        steps(view, one)),
      el("h2", {}, "Both sides"),
      sides(report),
      facts([["Tokens that live at from", number(report.tokens_at_from)],
        ["App could not, served by the other side", number(report.app_cannot.served_by_other_side)],
        ["App could not, refused", number(report.app_cannot.refused)],
        ["Opened", moment(one.created_at)], ["Advanced", one.advanced_at && moment(one.advanced_at)], ["Ended", one.ended_at && moment(one.ended_at)]]),
      shadow(report.eligibility), guarding(report.guard),
    ];
  },
};
