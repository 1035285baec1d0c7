import { describe, expect, it } from "vitest";
import { addressProblem } from "../../../src/mind/model/llm-settings.ts";

describe("an address for requests with a key", () => {
  it.each([
    ["localhost:11434", "must be an address that begins with http:// or https://"],
    ["ftp://example.com", "must be an address that begins with http:// or https://"],
    ["https://me:secret@example.com/v1", "must not hold a name or password"],
    ["https://me@example.com/v1", "must not hold a name or password"],
    ["https://example.com/v1?key=secret", "must not hold a query (?) or fragment (#)"],
    ["https://example.com/v1#secret", "must not hold a query (?) or fragment (#)"],
    ["http://127.0.0.1:6000/v1", "has the port 6000, to which no request can be made"],
  ])("%s is none", (text, problem) => {
    expect(addressProblem(text)).toBe(problem);
  });

  it.each(["https://example.com/v1", "http://127.0.0.1:11434", "http://[::1]:8000/v1"])(
    "%s is one",
    (text) => expect(addressProblem(text)).toBeNull(),
  );

  it("is refused for its port where fetch refuses it, which asks nobody then", async () => {
    const refused = Array.from({ length: 65_535 }, (_, at) => at + 1).filter((port) =>
      addressProblem(`http://127.0.0.1:${port}/`)?.includes("port"),
    );
    expect(refused.length).toBeGreaterThan(80);
    for (const port of refused) {
      const asked = fetch(`http://127.0.0.1:${port}/`);
      await expect(asked, String(port)).rejects.toMatchObject({ cause: { message: "bad port" } });
    }
  });
});
