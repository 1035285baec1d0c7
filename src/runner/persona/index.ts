export { clashWith } from "./clashes.ts";
export { loadPersonas, surveyPersonas } from "./load-personas.ts";
export { idProblem, type Persona } from "./persona.ts";
export { personaFiles, TEMPLATE_MINDS } from "./template.ts";
