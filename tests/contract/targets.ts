import router from '@adonisjs/core/services/router'
import type { ApiClient } from '@japa/api-client'
import type { OperationObject } from '#development/openapi/document'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import { bodyOf } from '#tests/access/routes'
import { pathIn } from '#tests/access/scene'
import { operationName, operations } from '#tests/helpers/described_operations'
import { anApplication, uniqueEmail } from '#tests/helpers/people'
import { INTERNAL_KEY, SUPER_ADMIN, WEBHOOK_SECRET, issuer } from '#tests/world/prepare'

/** An operation of the description, with existing resources. */
export interface Target {
  method: string
  pattern: string
  operation: OperationObject
  credentials: Record<string, string>
  scenes: TargetScene[]
}

export interface TargetScene {
  appCode: string
  path: string
  /** A valid body or query. */
  given: object | undefined
}

/** Resources per operation. Each DELETE uses one up. */
const SCENES = 2
const SCENES_OF_DELETE = 6

export async function targets(client: ApiClient, listEndpoint: string): Promise<Target[]> {
  const found: Target[] = []
  for (const { methods, pattern } of Object.values(router.toJSON()).flat()) {
    found.push(await targetOf(methods[0], pattern, client, listEndpoint))
  }
  return found
}

async function targetOf(method: string, pattern: string, client: ApiClient, listEndpoint: string) {
  const operation = operations.get(operationName(method, pattern))?.operation
  if (!operation) throw new Error(`${method} ${pattern} is not described`)
  const email = pattern.startsWith('/api/profile/me') ? await aPerson() : SUPER_ADMIN
  const scenes: Target['scenes'] = []
  const count = method === 'DELETE' ? SCENES_OF_DELETE : SCENES
  for (let made = 0; made < count; made++) {
    const application = await anApplication()
    const path = await pathIn({ client, application, email, listEndpoint }, pattern)
    const given = bodyOf(`${method} ${pattern}`, application.code)
    const form = given instanceof URLSearchParams
    scenes.push({ appCode: application.code, path, given: form ? undefined : given })
  }
  return { method, pattern, operation, credentials: await credentialsFor(operation, email), scenes }
}

/** Created in advance, because any first request of a person creates a record. */
async function aPerson() {
  return (await ensureUser({ email: uniqueEmail() })).email
}

async function credentialsFor({ security }: OperationObject, email: string) {
  const [scheme] = security.flatMap((requirement) => Object.keys(requirement))
  const credentials: Record<string, Record<string, string>> = {
    token: { authorization: `Bearer ${await issuer.token(email)}` },
    internalKey: { 'x-internal-api-key': INTERNAL_KEY },
    webhookSecret: { 'x-webhook-secret': WEBHOOK_SECRET },
  }
  return credentials[scheme] ?? {}
}
