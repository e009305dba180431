// What a page must keep, found by looking at it: names, headings, landmarks, contrast. Answers with what is wrong.
() => {
  const wrong = [];
  const shows = (node) => node.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) && node.getClientRects().length > 0;
  const all = (selector) => [...document.querySelectorAll(selector)].filter(shows);
  const name = (node) => (node.getAttribute("aria-label") ?? [...(node.labels ?? [])].map((one) => one.textContent).join(" "))
    || node.textContent.trim() || node.getAttribute("title") || "";
  if (document.documentElement.lang !== "en") wrong.push("no language");
  if (!document.title) wrong.push("no title");
  if (all("h1").length !== 1) wrong.push(`${all("h1").length} headings of the first level`);
  let level = 1;
  for (const head of all("h1, h2, h3, h4")) {
    const own = Number(head.tagName[1]);
    if (own > level + 1) wrong.push(`${head.textContent} skips a level`);
    level = own;
  }
  if (all("main").length !== 1) wrong.push("not one main");
  if (document.querySelector("#shell:not([hidden])")) {
    if (!all("nav[aria-label]").length) wrong.push("no named nav");
    if (all("nav [aria-current=page]").length !== 1) wrong.push("the nav does not tell the page");
  }
  for (const node of document.querySelectorAll("button, a[href], input, select")) {
    if (node.checkVisibility() && !name(node)) wrong.push(`${node.outerHTML.slice(0, 80)} has no name`);
  }
  for (const image of document.querySelectorAll("img")) if (!image.hasAttribute("alt")) wrong.push("an image without alt");
  for (const table of all("table")) {
    if (!table.caption || table.querySelectorAll("th:not([scope])").length) wrong.push("a table without caption or scopes");
  }
  if (document.querySelector("[tabindex]:not([tabindex='0']):not([tabindex='-1'])")) wrong.push("a tabindex above 0");
  const ids = [...document.querySelectorAll("[id]")].map((node) => node.id);
  if (new Set(ids).size !== ids.length) wrong.push("an id stands twice");
  if (document.querySelector("script:not([src]), [style*=expression], [onclick]")) wrong.push("inline script");

  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const mix = (colors) => {
    canvas.clearRect(0, 0, 1, 1);
    for (const color of colors) {
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
    }
    return canvas.getImageData(0, 0, 1, 1).data;
  };
  const light = (data) => [0.2126, 0.7152, 0.0722].reduce((sum, weight, index) => {
    const part = data[index] / 255;
    return sum + weight * (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  }, 0);
  for (const node of all("body *")) {
    const own = [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim());
    if (!own || node.closest(".unseen, .skip, noscript, option, :disabled")) continue;
    const grounds = [];
    for (let at = node; at; at = at.parentElement) grounds.unshift(getComputedStyle(at).backgroundColor);
    const ground = light(mix(["Canvas", ...grounds]));
    const ink = light(mix(["Canvas", ...grounds, getComputedStyle(node).color]));
    const ratio = (Math.max(ground, ink) + 0.05) / (Math.min(ground, ink) + 0.05);
    if (ratio < (parseFloat(getComputedStyle(node).fontSize) >= 24 ? 3 : 4.5)) {
      wrong.push(`${node.textContent.slice(0, 30)} has a contrast of ${ratio.toFixed(1)}`);
    }
  }
  if (document.documentElement.scrollWidth > innerWidth) wrong.push(`the page is ${document.documentElement.scrollWidth} wide`);
  return [...new Set(wrong)];
}
