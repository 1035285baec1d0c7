import { type PageBundle, pageBundle } from "../page-bundle.ts";

/** The only HTML there is: all else is made by the script, of texts. */
export const PAGE_HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>catallaxy</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/page.css">
<script src="/page.js" defer></script>
</head>
<body>
<div id="page"></div>
<noscript>This page needs JavaScript; \`sim report\` tells the same in words.</noscript>
</body>
</html>
`;

export const ICON_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<g fill="none" stroke="#3b7a6b" stroke-width="2.5">
<path d="M9 10 22 8M9 10l4 13M22 8l3 13M13 23l12-2M9 10l16 11"/></g>
<g fill="#3b7a6b"><circle cx="9" cy="10" r="4"/><circle cx="22" cy="8" r="3"/>
<circle cx="13" cy="23" r="3"/><circle cx="25" cy="21" r="4"/></g></svg>
`;

let bundle: Promise<PageBundle> | null = null;

/** Script and style of the page, made once for all servers of this process. */
export const dashboardBundle = (): Promise<PageBundle> => {
  bundle ??= pageBundle("dashboard");
  return bundle;
};
