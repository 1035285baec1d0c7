/** The head of a top-level function: on one line, with brackets only inside strings. */
const HEAD = (method: string) =>
  new RegExp(`^function ${method}\\(((?:"[^"]*"|[^")\\n])*)\\) \\{\\n`, "m");

/**
 * The parameters of a method as they stand in the code, each with its default, such as
 * `separator = ","`; undefined where the code defines no such function at top level.
 */
export function parametersInCode(code: string, method: string): readonly string[] | undefined {
  const list = HEAD(method).exec(code)?.[1];
  return list?.match(/(?:"[^"]*"|[^,"])+/g)?.map((parameter) => parameter.trim());
}

/** The name of a parameter, without its default. */
export function nameOfParameter(parameter: string): string {
  return parameter.replace(/\s*=.*$/, "");
}

/** The code with another parameter list for the method, and with lines put first in its body. */
export function replaceHead(
  code: string,
  method: string,
  head: { readonly parameters: readonly string[]; readonly firstLines: readonly string[] },
): string {
  const lines = head.firstLines.map((line) => `  ${line}\n`).join("");
  const text = `function ${method}(${head.parameters.join(", ")}) {\n${lines}`;
  return code.replace(HEAD(method), () => text);
}
