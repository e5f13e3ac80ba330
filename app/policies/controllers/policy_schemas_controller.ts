import type { HttpContext } from '@adonisjs/core/http'
import { StaticContent } from '#core/http/static_content'
import { DOCS_REVALIDATED } from '#core/pages/cache_control'
import { policySchema } from '#app/policies/values/policy_schema'

const SCHEMA = 'application/json; charset=utf-8'

const schema = new StaticContent(async () => `${JSON.stringify(policySchema, null, 2)}\n`)

/** See policy.md#schema. */
export default class PolicySchemasController {
  /**
   * Get the JSON Schema of policies, for editors
   *
   * @produces application/json
   * @revalidated
   */
  async show(ctx: HttpContext) {
    await schema.send(ctx, SCHEMA, DOCS_REVALIDATED)
  }
}
