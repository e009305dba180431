// The console's frame: signing in and out, which page is shown, and reading it again every few seconds.

import { Problem, forget, may, read, resume, session, signIn, signOut } from "./api.js";
import { el } from "./dom.js";
import { errors, overview, provisioning, provisionings } from "./pages.js";
import { connections, migration, migrations } from "./switching.js";
import { destination, destinations } from "./delivery.js";

const PERIOD = 4000;
const byID = (id) => document.getElementById(id);

const sections = [
  ["overview", "Overview", overview], ["provisionings", "Provisionings", provisionings, provisioning],
  ["errors", "Errors", errors], ["connections", "Connections", connections],
  ["migrations", "Migrations", migrations, migration], ["destinations", "Destinations", destinations, destination],
];

let shown = null;
let timer = null;
let end = null;

// MARK: Which page

function place() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [name, id] = path.split("/").map(decodeURIComponent);
  const section = sections.find((one) => one[0] === name) ?? sections[0];
  return { section, page: id && section[3] ? section[3] : section[2], id, query: new URLSearchParams(query) };
}

function show() {
  if (!session.current) return;
  const { section, page, id, query } = place();
  clearTimeout(timer);
  const view = { page, id, query, state: {}, document: undefined, isBusy: false };
  shown = view;
  for (const item of byID("nav").querySelectorAll("a")) {
    item.removeAttribute("aria-current");
    if (item.dataset.name !== section[0]) continue;
    item.setAttribute("aria-current", "page");
    item.scrollIntoView({ block: "nearest", inline: "center" });
  }
  byID("crumb").replaceChildren(...(id && section[3] ? [el("a", { href: `#/${section[0]}` }, section[1])] : []));
  byID("title").textContent = page.title(view);
  document.title = `${page.title(view)} · Passgate console`;
  trouble(null);
  byID("content").replaceChildren(el("p", { class: "empty" }, "Reading…"));
  view.again = () => refresh(view, true);
  byID("tools").replaceChildren(...(page.tools ? [page.tools(view)].flat() : []));
  refresh(view, true);
}

// MARK: Reading

async function refresh(view, isAsked = false) {
  clearTimeout(timer);
  if (view !== shown) return;
  if (document.hidden && !isAsked) return;
  if (view.page.scope && !may(view.page.scope)) {
    byID("content").replaceChildren(el("p", { class: "empty" },
      "Your API key opens the console, but lacks the scope ", el("code", {}, view.page.scope), " that this page needs."));
    return;
  }
  const turn = (view.turn = (view.turn ?? 0) + 1);
  try {
    const found = await view.page.load(view, read);
    if (view !== shown || turn !== view.turn) return;
    trouble(null);
    byID("pulse").textContent = `Live · ${new Date().toLocaleTimeString("en-GB")}`;
    const isSame = view.documents && found.length === view.documents.length
      && found.every((one, index) => one === view.documents[index]);
    if (!isSame || isAsked) {
      view.documents = found;
      draw(view);
    }
  } catch (problem) {
    if (view !== shown) return;
    if (problem instanceof Problem && problem.status === 401) return closeDoor("Your session has ended. Sign in again.");
    if (!(problem instanceof Problem)) throw problem;
    trouble(problem.message);
    byID("pulse").textContent = "Not live";
    if (!view.documents) byID("content").replaceChildren();
  }
  if (view === shown) timer = setTimeout(() => refresh(view), PERIOD);
}

// Draws the page anew, and leaves the focus and what was scrolled where they were.
function draw(view) {
  const content = byID("content");
  const focused = document.activeElement?.dataset?.focus;
  const isInside = content.contains(document.activeElement);
  const scrolled = [...content.querySelectorAll(".scroll")].map((one) => one.scrollLeft);
  content.replaceChildren(...[view.page.draw(view, ...view.documents)].flat(Infinity).filter(Boolean));
  [...content.querySelectorAll(".scroll")].forEach((one, index) => { one.scrollLeft = scrolled[index] ?? 0; });
  if (isInside && focused) {
    [...content.querySelectorAll("[data-focus]")].find((one) => one.dataset.focus === focused)?.focus();
  }
}

function trouble(text) {
  byID("trouble").hidden = !text;
  byID("trouble").textContent = text ?? "";
}

// MARK: The door

function closeDoor(text, isCalm = false) {
  clearTimeout(timer);
  clearTimeout(end);
  shown = null;
  forget();
  if (byID("dialog").open) byID("dialog").close();
  for (const id of ["content", "tools", "nav", "crumb"]) byID(id).replaceChildren();
  byID("shell").hidden = true;
  byID("skip").hidden = true;
  byID("door").hidden = false;
  const notice = byID("sign-in-notice");
  notice.hidden = !text;
  notice.className = isCalm ? "notice" : "notice bad";
  notice.textContent = text ?? "";
  document.title = "Sign in · Passgate console";
  byID("key").focus();
}

function openDoor() {
  const { key, programs, version, expires_at } = session.current;
  byID("door").hidden = true;
  byID("shell").hidden = false;
  byID("skip").hidden = false;
  byID("who").textContent = key;
  byID("who").title = `API key ${key} · Passgate ${version}`;
  const before = sessionStorage.getItem("program");
  session.program = (programs.find((one) => one.name === before) ?? programs[0])?.name ?? null;
  byID("program").replaceChildren(...programs.map((one) =>
    el("option", { value: one.name, selected: one.name === session.program }, one.display_name)));
  byID("nav").replaceChildren(...sections.map(([name, title]) =>
    el("li", {}, el("a", { href: `#/${name}`, "data-name": name }, title))));
  clearTimeout(end);
  end = setTimeout(() => closeDoor("Your session has ended. Sign in again."),
    Math.max(0, new Date(expires_at) - Date.now()));
  if (programs.length) show();
  else trouble("Your API key covers no program of the configuration.");
}

byID("sign-in").addEventListener("submit", async (event) => {
  event.preventDefault();
  const field = byID("key");
  const key = field.value.trim();
  field.value = "";
  const button = event.submitter ?? byID("sign-in").querySelector("button");
  button.disabled = true;
  try {
    await signIn(key);
    openDoor();
    byID("main").focus();
  } catch (problem) {
    closeDoor(problem.message);
  } finally {
    button.disabled = false;
  }
});

byID("sign-out").addEventListener("click", async () => {
  try { await signOut(); } catch { /* It is over here in any case. */ }
  closeDoor("You are signed out.", true);
});

byID("program").addEventListener("change", (event) => {
  session.program = event.target.value;
  sessionStorage.setItem("program", session.program);
  const { section, id } = place();
  if (id) location.hash = `#/${section[0]}`;
  else show();
});

byID("skip").addEventListener("click", (event) => {
  event.preventDefault();
  byID("main").focus();
});

addEventListener("hashchange", () => {
  show();
  scrollTo(0, 0);
});
document.addEventListener("visibilitychange", () => {
  if (shown && !document.hidden) refresh(shown);
});

resume().then(openDoor, (problem) => closeDoor(problem.status === 401 ? null : problem.message));
