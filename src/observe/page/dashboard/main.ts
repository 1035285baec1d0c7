import "../base.css";
import "./dashboard.css";
import { html, render } from "htm/preact";
import { App } from "./app.ts";

const place = document.getElementById("page");
if (place !== null) render(html`<${App} />`, place);
