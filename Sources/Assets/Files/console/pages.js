// What happens: the funnel, the attempts, and what went wrong.

import { bar, choice, code, el, facts, link, moment, number, pill, prose, say, share, table } from "./dom.js";

const windows = [["1h", "1 hour"], ["24h", "24 hours"], ["7d", "7 days"], ["30d", "30 days"]];
let since = "24h";

const windowChoice = (view) => choice("How far back", "window", windows, since, (value) => {
  since = value;
  view.again();
});

const sum = (list, name) => list.reduce((total, one) => total + one[name], 0);

function cut(overview) {
  return overview.whole ? null
    : el("p", { class: "notice" }, "There are more attempts than are counted here: these are the newest.");
}

function figure(name, value, note, href) {
  return el("div", { class: "figure" }, el("dt", {}, name),
    el("dd", {}, el("span", { class: "value" }, href ? link(href, value) : value), el("span", { class: "soft" }, note)));
}

function funnel(one) {
  const steps = [["Attempted", one.attempted], ["Handed off", one.handed_off], ["Token", one.tokens], ["Active", one.active]];
  return el("article", { class: "card funnel" },
    el("h3", {}, one.connection), el("p", { class: "soft" }, `${say(one.provider)} · ${say(one.wallet)}`),
    el("dl", {}, steps.map(([name, count], index) => el("div", {},
      el("dt", {}, name), el("dd", {}, el("span", { class: "count" }, number(count)),
        el("span", { class: "part" }, index ? share(count, one.attempted) : "")),
      bar(count, one.attempted, `step-${index}`)))),
    el("footer", { class: "soft" }, `${number(one.failed)} refused · ${number(one.unknown)} unknown`));
}

export const overview = {
  title: () => "Overview",
  scope: "provisioning:read",
  tools: windowChoice,
  load: async (view, read) => [await read("overview", { window: since })],
  draw(view, overview) {
    const all = overview.funnels;
    const [attempted, handed, tokens, active, unknown] =
      ["attempted", "handed_off", "tokens", "active", "unknown"].map((name) => sum(all, name));
    if (!all.length) return el("p", { class: "empty" }, "No card was added in this time.");
    return [
      cut(overview),
      el("dl", { class: "figures" },
        figure("Attempted", number(attempted), "provisionings", "#/provisionings"),
        figure("Handed off", share(handed, attempted), `${number(handed)} reached the app`),
        figure("Token", share(tokens, handed), `${number(tokens)} of those handed off`),
        figure("Active", share(active, handed), `${number(active)} of those handed off`),
        figure("Unknown", number(unknown), "nobody knows yet", "#/provisionings?status=unknown")),
      el("h2", {}, "By connection and wallet"),
      el("div", { class: "cards" }, all.map(funnel)),
      overview.failures.length ? el("h2", {}, "Most frequent errors") : null,
      overview.failures.length ? table("Most frequent errors", ["Error", "Connection", "Count", "Latest"],
        overview.failures.slice(0, 5).map((one) => el("tr", {},
          el("th", { scope: "row" }, link("#/errors", one.title)), el("td", {}, one.connection),
          el("td", { class: "num" }, number(one.count)), el("td", {}, moment(one.latest_at))))) : null,
    ];
  },
};

export const errors = {
  title: () => "Errors",
  scope: "provisioning:read",
  tools: windowChoice,
  load: async (view, read) => [await read("overview", { window: since })],
  draw(view, overview) {
    const codes = new Map();
    for (const one of overview.failures) codes.set(one.code, [...(codes.get(one.code) ?? []), one]);
    const ordered = [...codes.values()].sort((a, b) => sum(b, "count") - sum(a, "count"));
    const total = sum(overview.failures, "count");
    if (!total) return el("p", { class: "empty" }, "No attempt failed in this time.");
    return [cut(overview), el("div", { class: "stack" }, ordered.map((list) => {
      const [first] = list;
      const count = sum(list, "count");
      return el("article", { class: "card error" },
        el("header", {}, el("h2", {}, first.title), code(first.code),
          el("span", { class: "count" }, `${number(count)} · ${share(count, total)}`)),
        bar(count, total, "bad"),
        el("p", {}, prose(first.meaning)),
        el("h3", {}, "What to do"), el("p", {}, prose(first.what_to_do)),
        el("ul", { class: "plain" }, list.map((one) => el("li", {},
          `${one.connection}: ${number(one.count)}, latest `, link(`#/provisionings/${one.latest}`, moment(one.latest_at))))));
    }))];
  },
};

const statuses = ["sending", "refused", "unknown", "undelivered", "handed_off", "added", "requested",
  "verification_required", "active", "declined", "failed", "cancelled", "abandoned"];

export const provisionings = {
  title: () => "Provisionings",
  scope: "provisioning:read",
  tools(view) {
    const given = (name) => view.query.get(name) ?? "";
    const field = (name, text, control) => el("div", { class: "field" }, el("label", { for: `filter-${name}` }, text), control);
    return el("form", {
      class: "filter", role: "search", "aria-label": "Filter provisionings", onsubmit(event) {
        event.preventDefault();
        const wanted = [...new FormData(event.target)].filter(([, value]) => value);
        const query = new URLSearchParams(wanted).toString();
        location.hash = query ? `#/provisionings?${query}` : "#/provisionings";
      },
    },
    field("card", "Card", el("input", { id: "filter-card", name: "card", value: given("card"), maxlength: 64,
      autocomplete: "off", spellcheck: "false" })),
    field("provider", "Processor", el("input", { id: "filter-provider", name: "provider", value: given("provider"),
      maxlength: 64, autocomplete: "off", spellcheck: "false" })),
    field("status", "Status", el("select", { id: "filter-status", name: "status" }, el("option", { value: "" }, "any"),
      statuses.map((word) => el("option", { value: word, selected: word === given("status") }, say(word))))),
    el("button", { type: "submit" }, "Filter"));
  },
  async load(view, read) {
    const filter = Object.fromEntries(["card", "status", "provider"].map((name) => [name, view.query.get(name)]));
    return [await read("provisionings", { ...filter, limit: 25, cursor: view.state.cursor })];
  },
  draw(view, list) {
    return [
      table("Provisionings, the newest first", ["Began", "Card", "Connection", "Wallet", "Status", "Error"],
        list.data.map((one) => el("tr", {},
          el("th", { scope: "row" }, link(`#/provisionings/${one.id}`, moment(one.created_at))),
          el("td", {}, code(one.card)), el("td", {}, one.connection), el("td", {}, say(one.wallet)),
          el("td", {}, pill(one.status)), el("td", {}, one.failure ? code(one.failure.code) : el("span", { class: "soft" }, "–")))),
        "No attempt is like that."),
      el("p", { class: "pager" },
        view.state.cursor && el("button", { type: "button", "data-focus": "newest", onclick() {
          view.state.cursor = undefined;
          view.again();
        } }, "Newest"),
        list.next_cursor && el("button", { type: "button", "data-focus": "older", onclick() {
          view.state.cursor = list.next_cursor;
          view.again();
        } }, "Older")),
    ];
  },
};

function step(one, start) {
  const later = new Date(one.at) - start;
  const after = later < 1000 ? `+${later} ms` : `+${later < 60000 ? `${(later / 1000).toFixed(2)} s` : `${Math.round(later / 60000)} min`}`;
  return el("li", { class: `from-${one.source}` },
    el("div", { class: "when" }, moment(one.at), el("span", { class: "soft" }, after)),
    el("div", {}, el("strong", {}, say(one.step)), " ", el("span", { class: "source" }, one.source), one.code ? [" ", code(one.code)] : null,
      one.detail ? el("p", {}, one.detail) : null));
}

export const provisioning = {
  title: () => "Provisioning",
  scope: "provisioning:read",
  async load(view, read) {
    const path = `provisionings/${encodeURIComponent(view.id)}`;
    const [record, timeline] = await Promise.all([read(path), read(`${path}/timeline`)]);
    return [record, timeline, record.failure ? await read(`errors/${record.failure.code}`) : null];
  },
  draw(view, record, timeline, advice) {
    const start = new Date(record.created_at);
    const notes = [...record.repairs, ...record.warnings];
    return [
      el("p", { class: "headline" }, pill(record.status), " ", code(record.id)),
      record.failure ? el("section", { class: "card error", "aria-label": "What went wrong" },
        el("header", {}, el("h2", {}, advice.title), code(record.failure.code)),
        el("p", {}, prose(advice.meaning)), el("h3", {}, "What to do"), el("p", {}, prose(advice.what_to_do)),
        facts([["Retry", say(record.failure.retry)], ["Outcome", say(record.failure.outcome)],
          ["Processor's status", record.failure.provider_status], ["Processor's code", record.failure.provider_code],
          ["Processor's request", record.failure.provider_request_id], ["Reason", record.failure.reason && say(record.failure.reason)]])) : null,
      facts([["Card", link(`#/provisionings?card=${encodeURIComponent(record.card)}`, code(record.card))],
        ["Connection", `${record.connection} (${say(record.provider)})`],
        ["Wallet", `${say(record.wallet)}, ${say(record.channel)}`], ["Asked by", say(record.origin)],
        ["Began", moment(record.created_at)], ["Handoff good until", record.expires_at && moment(record.expires_at)],
        record.settlement && ["Settled by", say(record.settlement.by)]]),
      el("h2", {}, "Timeline"),
      el("ol", { class: "timeline" }, timeline.data.map((one) => step(one, start))),
      notes.length ? el("h2", {}, "Repairs and warnings") : null,
      notes.length ? el("ul", {}, notes.map((one) => el("li", {}, code(one.pointer), ` ${say(one.repair ?? one.warning)}`))) : null,
    ];
  },
};
