/** The names of the built-in plugins, which plugins of a user cannot have. */
export const BUILT_IN_NAMES = ["world", "workspace", "files", "situation", "news"];
