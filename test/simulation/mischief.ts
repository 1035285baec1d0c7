/**
 * Programs of a market full of rogues. Each defines methods that others call with ids and amounts
 * of their own choosing; what they do is anybody's guess, and must never be more than they may.
 */
export const PROGRAMS: readonly string[] = [
  "function run(a) { state.n = (state.n || 0) + 1; return [a, state.n]; }",
  "function run(to, n) { return kernel.pay(to, n); }",
  "function run(to, n) { try { kernel.pay(to, n); } catch (e) { return e.code; } kernel.fail('no', 'never mind'); }",
  "function run(id, to) { return kernel.give(id, to); }",
  "function run(id) { return kernel.read(id).content; }",
  "function run(id) { return kernel.write({ artifact_id: id, content: 'rogue ' + kernel.random() }); }",
  "function run(id, n) { return kernel.invoke(id, 'run', [id, n], { attach: { scrip: n } }); }",
  "function run(id, n) { const r = kernel.invoke(id, 'run', [caller, 1]); kernel.pay(caller, 1); return r; }",
  "function run(id) { return kernel.invoke(id, 'run', [caller, 1], { attach: { scrip: 1 } }); }",
  "function run(id) { for (let i = 0; i < 9; i++) kernel.invoke(id, 'run', [id, i]); return attached; }",
  "function run() { kernel.pay(caller, attached.scrip); return kernel.balance(); }",
  "function run(id, n) { kernel.pay(id, 1); throw new Error('after paying'); }",
  "function run() { while (true) { state.n = 1; } }",
  "function run() { const all = []; while (true) all.push('x'.repeat(1e5)); }",
  "function run() { return run(); }",
  "function run() { state = { big: 'x'.repeat(3000) }; return kernel.quota(); }",
  "function run(id) { return kernel.query('artifacts', { owner: id, sort: 'price' }); }",
  "function run(id, n) { return kernel.invoke('genesis_ledger', 'transfer', [id, n]); }",
  "function run(id) { return kernel.invoke('genesis_store', 'delete', [id]); }",
  "function run(id) { return kernel.invoke('genesis_store', 'delete', [self]); }",
  "function run(id, n) { return kernel.invoke('genesis_store', 'set_price', [id, n]); }",
  "function run(id) { return kernel.invoke('genesis_ledger', 'transfer_ownership', [self, id]); }",
  "function check_permission(r) { return { allowed: true, cost: 2 }; } function run() { return 1; }",
  "function check_permission(r) { return { allowed: r.caller !== r.owner, cost: 3, payer: r.owner, recipient: r.caller }; }",
  "function check_permission(r) { return { allowed: true, cost: 5, payer: 'p1', recipient: 'p0' }; }",
  "function check_permission(r) { kernel.pay(r.caller, 1); return { allowed: true }; }",
  "function check_permission(r) { return kernel.invoke(r.target, 'run', []).success; }",
  "function check_permission() { while (true); }",
  "function check_permission() { return { allowed: true, cost: -4 }; }",
];

/** What somebody may write where an amount is asked for, when they mean no good. */
export const ODD_AMOUNTS: readonly unknown[] = [
  0,
  -1,
  -0,
  0.5,
  1e15,
  Number.MAX_SAFE_INTEGER,
  2 ** 53,
  "5",
  "x",
  null,
  true,
  [],
  {},
];

/** What somebody may write where an id is asked for, beside those that exist. */
export const ODD_IDS: readonly unknown[] = [
  "nobody",
  "genesis_ledger",
  "Genesis-x",
  "handbook_toc",
  "__proto__",
  "constructor",
  "p0_memory",
  "",
  " ",
  "a".repeat(128),
  "a".repeat(129),
  "é",
  7,
  null,
];
