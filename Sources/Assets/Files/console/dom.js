// Builds the page's elements. Whatever comes from the gateway becomes text, never markup.

export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else node.setAttribute(name, String(value));
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

const whole = new Intl.NumberFormat("en");
export const number = (value) => whole.format(value);

export function share(part, of) {
  if (!of) return "–";
  const percent = (100 * part) / of;
  return `${percent >= 99.95 || percent === 0 ? percent.toFixed(0) : percent.toFixed(1)} %`;
}

export const rate = (value) => (value === null ? "–" : share(value, 1));

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });

// A moment in the reader's own time; the title has it in UTC.
export function moment(text) {
  if (!text) return el("span", { class: "soft" }, "–");
  const at = new Date(text);
  const isToday = at.toDateString() === new Date().toDateString();
  return el("time", { datetime: text, title: `${text} (UTC)` },
    isToday ? clock.format(at) : `${day.format(at)}, ${clock.format(at)}`);
}

export function seconds(value) {
  const size = Math.abs(value);
  if (size < 90) return `${value.toFixed(1)} s`;
  return size < 5400 ? `${(value / 60).toFixed(1)} min` : `${(value / 3600).toFixed(1)} h`;
}

const words = {
  apple_pay: "Apple Pay", google_pay: "Google Pay", samsung_pay: "Samsung Pay", in_app: "in app",
  left_alone: "left alone", from: "From", to: "To",
};
export const say = (word) => words[word] ?? String(word ?? "–").replaceAll("_", " ");

const tones = {
  good: ["active", "added", "ok", "delivered", "enabled", "completed", "open"],
  busy: ["sending", "handed_off", "requested", "verification_required", "pending", "paused"],
  bad: ["refused", "failed", "declined", "failing", "left_alone", "dead", "disabled", "tripped"],
  odd: ["unknown", "undelivered", "abandoned"],
};
export function pill(word, tone) {
  const own = tone ?? Object.keys(tones).find((name) => tones[name].includes(word)) ?? "calm";
  return el("span", { class: `pill ${own}` }, say(word));
}

// A bar of which a part is filled. The number beside it says the same, so it is not read out.
export function bar(part, of, tone = "") {
  const fill = el("span", { class: `fill ${tone}` });
  fill.style.width = `${of ? Math.min(100, (100 * part) / of) : 0}%`;
  return el("span", { class: "bar", "aria-hidden": "true" }, fill);
}

// Names with their values; what has none is left out.
export function facts(pairs) {
  const known = pairs.filter((pair) => pair && pair[1] !== null && pair[1] !== undefined);
  return el("dl", { class: "facts" }, known.map(([name, value]) =>
    el("div", {}, el("dt", {}, name), el("dd", {}, value))));
}

// A table that scrolls within itself where it is too wide.
export function table(caption, heads, rows, empty) {
  if (!rows.length) return el("p", { class: "empty" }, empty);
  return el("div", { class: "scroll", role: "region", "aria-label": caption, tabindex: "0" },
    el("table", {},
      el("caption", { class: "unseen" }, caption),
      el("thead", {}, el("tr", {}, heads.map((head) => el("th", { scope: "col" }, head)))),
      el("tbody", {}, rows)));
}

export const code = (text) => el("code", {}, text ?? "–");
export const link = (href, ...children) => el("a", { href, "data-focus": href }, ...children);

// Text in which `code` stands between backticks.
export function prose(text) {
  return text.split("`").map((part, index) => (index % 2 ? el("code", {}, part) : part));
}

// A choice among a few words, as radio buttons that look like one control.
export function choice(legend, name, options, chosen, change) {
  return el("fieldset", { class: "choice" }, el("legend", { class: "unseen" }, legend),
    options.map(([value, text]) => el("label", {},
      el("input", { type: "radio", name, value, checked: value === chosen, onchange: () => change(value) }),
      el("span", {}, text))));
}

// Asks before something is changed. `act` does it; what goes wrong is said in the dialog, which stays open.
export function ask({ title, words, fields = [], confirm, isGrave = false, act }) {
  const dialog = document.getElementById("dialog");
  const before = document.activeElement?.dataset?.focus;
  const notice = el("p", { class: "notice bad", role: "alert", hidden: true });
  const button = el("button", { type: "submit", class: isGrave ? "grave" : "primary" }, confirm);
  const form = el("form", {
    async onsubmit(event) {
      event.preventDefault();
      button.disabled = true;
      notice.hidden = true;
      try {
        const said = await act(new FormData(form));
        dialog.close();
        document.getElementById("live").textContent = said;
      } catch (problem) {
        notice.textContent = problem.message;
        notice.hidden = false;
        button.disabled = false;
      }
    },
  },
  el("h2", { id: "dialog-title" }, title), words.map((text) => el("p", {}, text)), fields, notice,
  el("div", { class: "buttons" },
    el("button", { type: "button", onclick: () => dialog.close() }, "Cancel"), button));
  dialog.replaceChildren(form);
  dialog.addEventListener("close", () => {
    dialog.replaceChildren();
    if (before) [...document.querySelectorAll("[data-focus]")].find((one) => one.dataset.focus === before)?.focus();
  }, { once: true });
  dialog.showModal();
}
