export {
  loadPersonas,
  type PersonaLoad,
  type PersonaSurvey,
  surveyPersonas,
} from "./load-personas.ts";
export { type Persona, personaSchema } from "./persona.ts";
export { personaTemplate, TEMPLATE_MINDS } from "./template.ts";
