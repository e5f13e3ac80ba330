import { policyValidator } from '#app/policies/validators/policy_validator'

type Schema = Record<string, unknown> & {
  properties?: Record<string, Schema>
  items?: Schema
}

/** Where the service publishes the schema. */
export const SCHEMA_PATH = '/docs/schemas/application-policy.json'

const described = policyValidator.toJSONSchema() as Schema

/** The JSON Schema of documents. Editors read it, and documents may name it in `$schema`. */
export const policySchema: Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Policy of an application of Concierge',
  description: 'What an application defines: permissions, roles, entities and notification types',
  ...described,
  properties: { $schema: { type: 'string' }, ...described.properties },
}
