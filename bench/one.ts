/** Calls the function of a bench that its arguments name. Sends the value to the parent process. */
const [bench, name = "figures"] = process.argv.slice(2);
const functions: { readonly [name: string]: () => Promise<unknown> } = await import(
  `./${bench}.ts`
);
const value = await functions[name]?.();
process.send?.({ value, peakMb: process.resourceUsage().maxRSS / 1e3 });
process.disconnect?.();
