import type { HttpContext } from '@adonisjs/core/http'
import { callerKey } from '#core/http/caller_name'
import { textParam } from '#core/http/path_params'
import { invalidField } from '#core/exceptions/problems'
import { isYaml } from '#core/middleware/json_body_middleware'
import Application from '#app/applications/models/application'
import { MalformedYaml } from '#app/policies/exceptions'
import type { ValidPolicy } from '#app/policies/validators/policy_validator'
import { validatePolicyOf } from '#app/policies/validators/validate_policy'
import { inYamlProcess } from '#app/policies/yaml/yaml_process'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads the document in the body, as JSON or YAML.
 *
 * @throws ApplicationNotFound, MalformedYaml, MalformedJson, ValidationError, Overloaded
 * @describedBy policy_validator#policyValidator
 * @consumes application/json application/yaml
 */
export async function readPolicyBody(ctx: HttpContext): Promise<ValidPolicy> {
  const { code } = await Application.withCode(textParam(ctx, 'appCode'))
  return validatePolicyOf(code, await contentOf(ctx))
}

async function contentOf(ctx: HttpContext): Promise<unknown> {
  const { request, rawBody } = ctx
  if (!isYaml(request.request.headers['content-type'])) return request.body()
  const content = await inYamlProcess(callerKey(ctx), { parse: decode(rawBody) })
  if (typeof content === 'object' && content !== null && !Array.isArray(content)) return content
  throw invalidField('', 'object', 'The body must be a mapping')
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new MalformedYaml({ detail: 'The body must be text in UTF-8' })
  }
}
