export type JsonObject = { [key: string]: unknown }

export interface ConditionVariables {
  subject: { id: string; email: string; properties: JsonObject }
  /** `id` is undefined for a resource that has no name. */
  resource: { type: string; id: string | undefined; properties: JsonObject }
  action: { name: string; properties: JsonObject }
  context: JsonObject
  now: Date
}
