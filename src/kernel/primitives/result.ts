export type WithProblem = { readonly ok: false; readonly problem: string };

/** The fields of a success, or one line that says why there is none. */
export type Result<Fields> = ({ readonly ok: true } & Readonly<Fields>) | WithProblem;
