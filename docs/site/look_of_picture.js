/* Tells the moving picture of a turn, which is in a frame, whether the site is light or dark. */
for (const picture of document.querySelectorAll("iframe.turn-picture")) {
  const tell = () => {
    const dark = document.body.dataset.mdColorScheme === "slate";
    picture.contentWindow.postMessage(dark ? "dark" : "light", "*");
  };
  picture.addEventListener("load", tell);
  new MutationObserver(tell).observe(document.body, { attributeFilter: ["data-md-color-scheme"] });
  tell();
}
