export { tablesFault } from "./table-shapes.ts";
