import { lineAt, type SourceFile, type SyntaxNode } from "./source-file.ts";

export type Violation = { readonly path: string; readonly line: number; readonly message: string };

/** What a rule can look at. */
export type Project = {
  readonly files: readonly SourceFile[];
  /** Names of the packages in package.json. */
  readonly dependencies: readonly string[];
  /** The text of all files in docs/dev/decisions. */
  readonly decisions: string;
  /** Prose, configuration and programs of agents: everything that is read and not TypeScript. */
  readonly documents: readonly { readonly path: string; readonly text: string }[];
};

/** A style rule. Its messages say what is wrong and name the cure. */
export type Rule = {
  readonly name: string;
  readonly check: (project: Project) => readonly Violation[];
};

/** Says what is wrong at a node, or at an offset of the text. */
export type Complain = (at: SyntaxNode | { readonly start: number }, message: string) => void;

/** A rule that looks at one file after the other. */
export function fileRule(
  name: string,
  concerns: (path: string) => boolean,
  look: (file: SourceFile, complain: Complain) => void,
): Rule {
  const check = ({ files }: Project): readonly Violation[] => {
    const violations: Violation[] = [];
    for (const file of files.filter(({ path }) => concerns(path))) {
      look(file, ({ start }, message) => {
        violations.push({ path: file.path, line: lineAt(file, start), message });
      });
    }
    return violations;
  };
  return { name, check };
}

export const everywhere = (): boolean => true;
export const inSource = (path: string): boolean => path.startsWith("src/");
export const inTests = (path: string): boolean => path.startsWith("test/");

/** How a violation is shown: an editor can jump to it. */
export const shown = ({ path, line, message }: Violation): string => `${path}:${line} ${message}`;
