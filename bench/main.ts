/** Every bench, one after the other: `npm run bench`. */
await import("./kernel.ts");
console.log("");
await import("./actions.ts");
console.log("");
await import("./sandbox.ts");
console.log("");
await import("./journal.ts");
console.log("");
await import("./scoring.ts");
console.log("");
await import("./time-travel.ts");
console.log("");
await import("./models.ts");
console.log("");
await import("./dashboard.ts");
