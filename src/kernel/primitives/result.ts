export type WithProblem = { readonly ok: false; readonly problem: string };

/** A success with its fields, or a failure with a problem in one line. */
export type Result<Fields> = ({ readonly ok: true } & Readonly<Fields>) | WithProblem;
