import type { HttpContext } from '@adonisjs/core/http'
import { appUrl } from '#config/app'
import { callerKey } from '#core/http/caller_name'
import { textParam } from '#core/http/path_params'
import { successEnvelope } from '#core/values/envelopes'
import { exportPolicy } from '#app/policies/actions/export_policy'
import { exportQueryValidator } from '#app/policies/validators/policy_query_validator'
import { policyRevision } from '#app/policies/values/policy_revision'
import { SCHEMA_PATH } from '#app/policies/values/policy_schema'
import { writtenPolicy } from '#app/policies/values/written_policy'
import { inYamlThread } from '#app/policies/yaml/yaml_thread'

const YAML = 'application/yaml'
const YAML_IN_UTF8 = 'application/yaml; charset=utf-8'

/** See policy.md. */
export default class PoliciesController {
  /**
   * Export the policy of an application as one document. With `assignments=true`, it also says who
   * has what. `Accept` chooses JSON or YAML.
   */
  async show(ctx: HttpContext) {
    const { assignments } = await exportQueryValidator.validate(ctx.request.qs())
    const policy = await exportPolicy(textParam(ctx, 'appCode'), assignments)
    ctx.response.header('etag', `"${policyRevision(policy)}"`)
    const written = writtenPolicy(policy)
    if (ctx.request.accepts(['application/json', YAML]) !== YAML) return successEnvelope(written)
    const text = await inYamlThread(callerKey(ctx), { write: written })
    const line = `# yaml-language-server: $schema=${schemaUrl()}`
    const document = `${line}\n${String(text)}`
    return ctx.response.status(200).header('content-type', YAML_IN_UTF8).send(document)
  }
}

/** Of the service as its users see it, so that their editors find the schema. */
const schemaUrl = () => new URL(SCHEMA_PATH, appUrl).href
