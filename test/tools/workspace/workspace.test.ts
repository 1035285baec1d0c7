import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Files, filesIn, filesPatch, readPath, withFile } from "../../../src/tools/kinds.ts";
import { fileList, fileText, linesWith } from "../../../src/tools/tool/workspace-tools.ts";
import { withoutFile, withPatch, withReplacement } from "../../../src/tools/workspace/edit.ts";

const FILES: Files = new Map([
  ["notes.md", "one\ntwo\nthree\n"],
  ["drafts/adder.js", "function run(a, b) { return a + b }\n"],
]);

describe("a path of a workspace", () => {
  const REFUSED = [
    ...["", "/etc/passwd", "../secrets", "drafts/../../x", "a//b", "a/", ".env", "a/.git/config"],
    ...["C:\\x", "a\0b", "a b", "__proto__", "x/__proto__/y", "ä.md", "a/b/c/d/e/f/g/h/i"],
    "x".repeat(201),
  ];
  for (const path of REFUSED) {
    it(`is refused: ${JSON.stringify(path.slice(0, 20))}`, () => {
      expect(readPath(path, FILES)).toMatchObject({ ok: false });
    });
  }

  it("may begin with ./", () => {
    expect(readPath("./notes.md", FILES)).toEqual({ ok: true, path: "notes.md" });
  });

  it("may not differ from another path only in case", () => {
    expect(readPath("NOTES.md", FILES)).toMatchObject({
      problem: "path NOTES.md: notes.md differs only in case; use that path",
    });
  });

  it("never leads outside, whatever it has", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("a", ".", "/", "\\", "-", "_") }), (path) => {
        const read = readPath(path, new Map());
        if (!read.ok) return;
        expect(read.path.startsWith("/")).toBe(false);
        expect(read.path.split("/").every((part) => /^[a_][a._-]*$/.test(part))).toBe(true);
      }),
    );
  });
});

describe("an edit", () => {
  it("replaces a text that occurs once", () => {
    const edited = withReplacement(FILES, "notes.md", "two", "2");
    expect(edited).toMatchObject({ ok: true, text: "edited notes.md at line 2" });
    expect(edited.ok && edited.files.get("notes.md")).toBe("one\n2\nthree\n");
  });

  it("is refused if the text is missing, or occurs twice", () => {
    for (const [old, problem] of [
      ["four", "notes.md does not contain old_text"],
      ["e\n", "notes.md contains old_text more than once"],
      ["", "old_text is empty"],
    ] as const) {
      const edited = withReplacement(FILES, "notes.md", old, "x");
      expect(edited).toMatchObject({ ok: false, problem: expect.stringContaining(problem) });
    }
  });

  it("names the files that exist if the file is missing", () => {
    const edited = withoutFile(FILES, "nots.md");
    expect(edited).toMatchObject({ problem: expect.stringContaining("notes.md, drafts/adder.js") });
  });
});

describe("a write", () => {
  it("is bounded in length and in the number of files", () => {
    expect(withFile(FILES, "big", "x".repeat(100_001))).toMatchObject({ ok: false });
    let files: Files = new Map();
    for (let n = 0; n < 200; n += 1) {
      const wrote = withFile(files, `f${n}`, "");
      if (wrote.ok) files = wrote.files;
    }
    expect(files.size).toBe(200);
    expect(withFile(files, "one-more", "")).toMatchObject({ ok: false });
    expect(withFile(files, "f7", "again")).toMatchObject({ ok: true });
  });

  it("cannot make a folder of a file, nor a file of a folder", () => {
    expect(withFile(FILES, "notes.md/x", "")).toMatchObject({ problem: /notes.md is a file/ });
    expect(withFile(FILES, "drafts", "")).toMatchObject({ problem: /drafts is a folder/ });
  });

  it("takes only Unicode without NUL", () => {
    for (const text of ["a\0b", "\ud800"]) expect(withFile(FILES, "x", text).ok).toBe(false);
  });
});

const PATCH = `--- a/notes.md
+++ b/notes.md
@@ -1,3 +1,3 @@
 one
-two
+TWO
 three
--- /dev/null
+++ b/new.md
@@ -0,0 +1 @@
+new
`;

describe("a patch", () => {
  it("changes, creates and deletes files", () => {
    const removal =
      "--- a/drafts/adder.js\n+++ /dev/null\n@@ -1 +0,0 @@\n-function run(a, b) { return a + b }\n";
    const patched = withPatch(FILES, PATCH + removal);
    expect(patched.ok && Object.fromEntries(patched.files)).toEqual({
      "notes.md": "one\nTWO\nthree\n",
      "new.md": "new\n",
    });
  });

  it("changes nothing if one of its files does not fit", () => {
    const other = "--- a/gone.md\n+++ b/gone.md\n@@ -1 +1 @@\n-x\n+y\n";
    expect(withPatch(FILES, PATCH + other)).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/^nothing was changed: there is no gone.md/),
    });
  });

  it("at a line that the file does not have, or of too much work, is refused at once", () => {
    const hunk = "@@ -999999999999,1 +999999999999,1 @@\n-one\n+ONE\n";
    const far = withPatch(FILES, `--- a/notes.md\n+++ b/notes.md\n${hunk}`);
    expect(far).toMatchObject({
      problem: expect.stringMatching(/a hunk is at line 999999999999, but the file has 4 lin/),
    });
    const long = new Map([["long.txt", "a\n".repeat(40_000)]]);
    const lines = " a\n".repeat(2_000);
    const wide = `--- a/long.txt\n+++ b/long.txt\n@@ -1,2001 +1,2000 @@\n${lines}-b\n`;
    expect(withPatch(long, wide)).toMatchObject({
      problem: expect.stringMatching(/the patch is too long for a file/),
    });
  });

  it("cannot leave the workspace or rename a file", () => {
    const outside = PATCH.replaceAll("new.md", "../new.md");
    const renamed = PATCH.replace("+++ b/notes.md", "+++ b/other.md");
    for (const text of [outside, renamed, "hello", ""]) {
      expect(withPatch(FILES, text).ok).toBe(false);
    }
  });
});

describe("a look at files", () => {
  it("numbers lines and says how many are left", () => {
    expect(fileText(FILES, "notes.md", { from: 2, lines: 1 })).toEqual({
      ok: true,
      text: "2\ttwo\n[2 more lines]",
      data: "two",
    });
    expect(fileText(FILES, "notes.md", { from: 9 })).toMatchObject({ ok: false });
  });

  it("finds paths by a pattern with *, and lines by a text", () => {
    expect(fileList(FILES, "*.js")).toMatchObject({ text: "drafts/adder.js (36 bytes)" });
    expect(fileList(FILES, "drafts")).toMatchObject({ text: "no such files" });
    expect(linesWith(FILES, "return", "")).toMatchObject({
      text: "drafts/adder.js:1: function run(a, b) { return a + b }",
    });
  });
});

describe("the content of a workspace", () => {
  it("is read back as it was written, and a patch has only what changed", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.string()), (record) => {
        const files = new Map(Object.entries(record));
        expect(filesIn(JSON.stringify(record))).toEqual(files);
        expect(filesPatch(JSON.stringify(record), new Map(files))).toBeNull();
      }),
    );
    const after = new Map(FILES).set("notes.md", "new");
    const content = JSON.stringify(Object.fromEntries(FILES));
    expect(filesPatch(content, after)).toEqual({ in: { "notes.md": { to: "new" } } });
  });

  it("is one file if an action wrote something else, and the first change keeps it", () => {
    const files = filesIn("free text");
    expect(files).toEqual(new Map([["content.txt", "free text"]]));
    expect(filesPatch("free text", new Map(files).set("a.md", "a"))).toEqual({
      in: { "content.txt": { to: "free text" }, "a.md": { to: "a" } },
    });
  });

  it("has no files with paths that no tool could name", () => {
    expect(filesIn('{"../x":"1","a.md":"2","b":3}')).toEqual(new Map([["a.md", "2"]]));
  });
});
