import { describe, expect, it } from "vitest";
import { sharedAddress } from "../../src/model/limits/shared-limits.ts";

describe("the server of shared limits", () => {
  it("is named by its address or by a variable", () => {
    const env = { PLACE: "redis://:secret@host:7000/2" };
    const shown = (shared: string) => {
      const found = sharedAddress(shared, env);
      return found.ok ? found.address.shown : found.problem;
    };
    expect(shown("redis://host")).toBe("redis://host:6379");
    expect(shown("env:PLACE")).toBe("redis://host:7000/2");
    expect(shown("env:OTHER")).toBe("llm.limits.shared: set the environment variable OTHER");
  });

  it("has no password in an address that is wrong", () => {
    const found = sharedAddress("env:PLACE", { PLACE: "http://:secret@host" });
    expect(found).toMatchObject({ ok: false });
    expect(JSON.stringify(found)).not.toContain("secret");
  });
});
