// Registers this gateway for the schemes that HTML allows ("safelisted schemes", HTML, 8.10.1).
"use strict";
(() => {
    const section = document.getElementById("handlers");
    if (!section || !navigator.registerProtocolHandler) return;
    const said = document.getElementById("registered");
    const base = new URL(".", location.href).href;
    section.hidden = false;
    document.getElementById("register").addEventListener("click", () => {
        const refused = [];
        for (const scheme of ["ftp", "ftps", "news", "nntp"]) {
            try {
                navigator.registerProtocolHandler(scheme, `${base}u/%s`);
            } catch (error) {
                refused.push(scheme);
            }
        }
        said.textContent = refused.length
            ? `The browser refused: ${refused.join(", ")}.`
            : "The browser may ask you to allow it.";
    });
})();
