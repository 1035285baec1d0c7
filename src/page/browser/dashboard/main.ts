import { showPage } from "./app.ts";

showPage();
