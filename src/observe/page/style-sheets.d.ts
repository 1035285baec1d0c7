/** `page-bundle.ts` collects style sheets that modules import. The imports have no value. */
declare module "*.css";
