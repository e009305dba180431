// Hides what does not hold every word that is searched for. The page is whole without it.
(() => {
  const box = document.getElementById("search");
  const none = document.getElementById("none");
  const entries = [...document.querySelectorAll("[data-words]")];
  const groups = [...document.querySelectorAll("nav ul, section")].filter((group) =>
    group.querySelector("[data-words]"));
  const search = () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const entry of entries) entry.hidden = !words.every((word) => entry.dataset.words.includes(word));
    for (const group of groups) {
      const isEmpty = !group.querySelector("[data-words]:not([hidden])");
      group.hidden = isEmpty;
      if (group.tagName === "UL") group.previousElementSibling.hidden = isEmpty;
    }
    document.getElementById("about").hidden = words.length > 0;
    none.hidden = entries.some((entry) => !entry.hidden);
  };
  box.parentElement.hidden = false;
  box.addEventListener("input", search);
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && event.target !== box) {
      event.preventDefault();
      box.focus();
    } else if (event.key === "Escape" && event.target === box) {
      box.value = "";
      search();
    }
  });
  // A link may lead to what a search hides.
  addEventListener("hashchange", () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target || !target.closest("[hidden]")) return;
    box.value = "";
    search();
    target.scrollIntoView();
  });
})();
