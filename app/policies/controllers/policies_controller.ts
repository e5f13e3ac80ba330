import type { HttpContext } from '@adonisjs/core/http'
import { appUrl } from '#config/app'
import { callerKey, changerOf } from '#core/http/caller_name'
import { tagWith } from '#core/http/etag'
import { textParam } from '#core/http/path_params'
import { inSearchTurn } from '#core/http/search_turn'
import { successEnvelope } from '#core/values/envelopes'
import { flipPage } from '#app/checks/transformers/flip_page'
import { applyPolicy } from '#app/policies/actions/apply_policy'
import { exportPolicy } from '#app/policies/actions/export_policy'
import { planPolicy } from '#app/policies/actions/plan_policy'
import { policyChangeResource } from '#app/policies/transformers/change_resource'
import { readPolicyBody } from '#app/policies/validators/policy_body'
import {
  applyQueryValidator,
  exportQueryValidator,
  planQueryValidator,
} from '#app/policies/validators/policy_query_validator'
import { policyRevision } from '#app/policies/values/policy_revision'
import { requiredIfMatch } from '#app/policies/values/required_if_match'
import { SCHEMA_PATH } from '#app/policies/values/policy_schema'
import { writtenPolicy } from '#app/policies/values/written_policy'
import { inYamlProcess } from '#app/policies/yaml/yaml_process'

const YAML = 'application/yaml'
const YAML_IN_UTF8 = 'application/yaml; charset=utf-8'

/** See policy.md. */
export default class PoliciesController {
  /**
   * Export the policy of an application as one document. `assignments=true` includes role
   * assignments, overrides and administrators. `Accept` selects JSON or YAML.
   */
  async show(ctx: HttpContext) {
    const { assignments } = await exportQueryValidator.validate(ctx.request.qs())
    const appCode = textParam(ctx, 'appCode')
    const policy = await inSearchTurn(ctx, () => exportPolicy(appCode, { assignments }))
    tagWith(ctx, policyRevision(policy))
    const written = await writtenPolicy(policy)
    if (ctx.request.accepts(['application/json', YAML]) !== YAML) return successEnvelope(written)
    const text = await inYamlProcess(callerKey(ctx), { write: written })
    const line = `# yaml-language-server: $schema=${schemaUrl()}`
    const document = `${line}\n${String(text)}`
    return ctx.response.status(200).header('content-type', YAML_IN_UTF8).send(document)
  }

  /**
   * Plan a policy. Send the document as JSON or YAML. The response lists what it would change and
   * which decisions would flip, and nothing is changed. `prune=true` also removes what is not
   * in the document; `assignments=true` also applies its assignments.
   */
  async plan(ctx: HttpContext) {
    const { limit, cursor, ...options } = await planQueryValidator.validate(ctx.request.qs())
    const valid = await readPolicyBody(ctx)
    const request = { valid, ...options, caller: callerKey(ctx), changer: changerOf(ctx) }
    const { revision, changes, flips } = await planPolicy(request, { limit, cursor })
    const resources = changes.map(policyChangeResource)
    return successEnvelope({ revision, changes: resources, ...flipPage(flips) })
  }

  /**
   * Apply a policy. Send the document as JSON or YAML, and the `revision` of its plan in
   * `If-Match`. Everything is stored or nothing, and nothing if the policy has changed since the
   * plan. `prune=true` also removes what is not in the document; `assignments=true` also applies
   * its assignments.
   */
  async update(ctx: HttpContext) {
    const options = await applyQueryValidator.validate(ctx.request.qs())
    const valid = await readPolicyBody(ctx)
    const isBasedOn = requiredIfMatch(ctx)
    const request = { valid, ...options, caller: callerKey(ctx), changer: changerOf(ctx) }
    const { revision, changes } = await applyPolicy(request, isBasedOn)
    tagWith(ctx, revision)
    return successEnvelope({ revision, changes: changes.map(policyChangeResource) })
  }
}

/** The public address, so that editors find the schema. */
const schemaUrl = () => new URL(SCHEMA_PATH, appUrl).href
