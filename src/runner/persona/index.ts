export {
  loadPersonas,
  type PersonaLoad,
  type PersonaSurvey,
  surveyPersonas,
} from "./load-personas.ts";
export { type Persona, personaSchema } from "./persona.ts";
export { type NewPersona, personaFiles, TEMPLATE_MINDS } from "./template.ts";
