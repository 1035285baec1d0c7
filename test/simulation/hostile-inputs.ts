/**
 * Programs that random agents write. Other agents call their methods with random ids and amounts.
 * Whatever they attempt, no invariant may break.
 */
export const PROGRAMS: readonly string[] = [
  "function run(a) { state.n = (state.n || 0) + 1; return [a, state.n]; }",
  "function run(to, n) { return kernel.pay(to, n); }",
  "function run(to, n) { try { kernel.pay(to, n); } catch (e) { return e.code; } kernel.fail('no', 'never mind'); }",
  "function run(id, to) { return kernel.give(id, to); }",
  "function run(id, n) { return kernel.charge(caller, n); }",
  "function run() { const { received } = kernel.invoke('genesis_ledger', 'grants', []).result; for (const { grantor } of received) kernel.charge(grantor, 1); }",
  "function run(id) { state.taken = (state.taken || 0) + 1; return kernel.charge(caller, 1); }",
  "function run(id, n) { return kernel.invoke('genesis_ledger', 'grant', [id, n, n]); }",
  "function run(id, n) { return kernel.create_principal({ config: {}, scrip: n, quotas: { actions: 2 } }); }",
  "function run(id, n) { return kernel.create_principal({ id, config: '{}', disk_bytes: 90 + n, owner: 'self' }); }",
  "function check_permission() { return { allowed: kernel.create_principal({}) !== null }; }",
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

/** A program that makes random syscalls with random targets, and survives most refusals. */
export const ROGUE = `
  const any = (list) => list[Math.floor(kernel.random() * list.length)];
  function act(id, n) {
    const to = any([id, caller, self.id, origin]);
    const price = any([{}, { max_price: n }]);
    const asks = [
      () => kernel.pay(to, n), () => kernel.charge(to, n), () => kernel.give(id, to),
      () => kernel.read(id, price), () => kernel.query("artifacts", { owner: to }),
      () => kernel.write({ artifact_id: id, content: "é".repeat(n), price: n, ...price }),
      () => kernel.write({ artifact_id: id, code: "function run() {}", has_standing: true }),
      () => kernel.create_principal({ config: {}, scrip: n, disk_bytes: 90 }),
      () => kernel.invoke(id, "run", [to, n], { attach: { scrip: n, artifacts: [id] }, ...price }),
      () => kernel.invoke(id, "run", [to, n], { attach: { scrip: n } }),
      () => kernel.invoke("genesis_ledger", "transfer_ownership", [id, to]),
      () => kernel.invoke("genesis_ledger", "accept", [id]),
      () => kernel.invoke("genesis_ledger", "grant", [id, n, n]),
      () => kernel.invoke("genesis_rights_registry", "transfer_quota", [to, "disk", n]),
      () => kernel.invoke("genesis_store", "delete", [id]),
    ];
    for (let turn = 0; turn < 5; turn++) {
      try { any(asks)(); } catch (error) { if (kernel.random() < 0.15) throw error; }
    }
  }
  function run(id, n) {
    act(id, n);
    state = "s".repeat(n);
    if (kernel.random() < 0.1) kernel.fail("no", "as the dice fell");
    return n;
  }
  function check_permission({ caller, owner, target, args }) {
    act(any([...(args ?? []), target]), 1);
    const recipient = any([caller, owner]);
    return { allowed: kernel.random() < 0.9, cost: any([0, 1, 5]), recipient };
  }`;

/** Unusual or invalid values in place of an amount. */
export const ODD_AMOUNTS: readonly unknown[] = [
  ...[0, -1, -0, 0.5, 1e15, Number.MAX_SAFE_INTEGER, 2 ** 53, "5", "x", null, true, [], {}],
];

/** Unusual or invalid values in place of an id. */
export const ODD_IDS: readonly unknown[] = [
  ...["ghost", "genesis_ledger", "Genesis-x", "handbook_toc", "__proto__", "constructor"],
  ...["p0_memory", "", " ", "a".repeat(128), "a".repeat(129), "é", 7, null],
];
