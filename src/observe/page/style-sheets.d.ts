/** `page-bundle.ts` gathers them; a module only says that it needs one. */
declare module "*.css";
