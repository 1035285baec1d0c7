/** `page-bundle.ts` collects the style sheets that modules import. A style sheet has no exports. */
declare module "*.css";
