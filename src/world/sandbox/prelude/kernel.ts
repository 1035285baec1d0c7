/** The frozen objects that a program talks to. */
export const KERNEL = `
class KernelError extends ErrorHere {
  constructor(code, message) {
    super(message);
    hide(this, "code", code);
  }
}
hide(KernelError.prototype, "name", "KernelError");
freeze(KernelError.prototype);
freeze(KernelError);

let open = false;
let present = 0;

const refuseWhenClosed = (name) => {
  if (!open) throw new KernelError("not_available",
    "kernel." + name + " answers only while a method runs");
};

const ask = (name, list, length) => {
  refuseWhenClosed(name);
  let sent = "[";
  for (let i = 0; i < length; i++) {
    let item;
    try {
      item = plain(list[i], "argument " + (i + 1));
    } catch (error) {
      throw new KernelError("invalid_argument", "kernel." + name + ": " + describe(error));
    }
    sent += (i === 0 ? "" : ",") + (item === undefined ? "null" : item);
  }
  const reply = port(SYSCALL, name, sent + "]");
  if (reply[0] !== "!") return parse(reply);
  const refusal = parse(apply(slice, reply, [1]));
  throw new KernelError(refusal.code, refusal.message);
};

const kernel = { __proto__: null };
for (const name of ["random", "balance", "pay", "charge", "give", "read", "write", "invoke",
  "query", "quota", "create_principal"])
  kernel[name] = { [name]() { return ask(name, arguments, arguments.length); } }[name];
kernel.now = { now() { refuseWhenClosed("now"); return present; } }.now;
kernel.log = { log() {
  refuseWhenClosed("log");
  let line = "";
  for (let i = 0; i < arguments.length; i++) {
    const item = arguments[i];
    const shown = typeof item === "string" ? item : stringify(item);
    line += (i === 0 ? "" : " ") + (shown === undefined ? text(item) : shown);
  }
  charge(line.length);
  port(LOG, line);
} }.log;
kernel.fail = { fail(code, message) {
  refuseWhenClosed("fail");
  port(REJECT, code === undefined ? "failed" : text(code),
    message === undefined ? "" : text(message));
} }.fail;
for (const name of keys(kernel)) freeze(kernel[name]);
setPrototypeOf(kernel, Object.prototype);
freeze(kernel);
`;
