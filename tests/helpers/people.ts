import type { ApiClient } from '@japa/api-client'
import { randomUUID } from 'node:crypto'
import { DateTime } from 'luxon'
import ApplicationAdmin from '#app/permissions/models/application_admin'
import SuperAdmin from '#app/permissions/models/super_admin'
import type Application from '#app/applications/models/application'
import { createApplication } from '#app/applications/actions/create_application'
import { SUPER_ADMIN, issuer } from '#tests/world/prepare'
import type { TokenOptions } from '#tests/world/issuer'

/** Unique, so that tests need no cleanup. */
export const uniqueCode = (prefix = 'app') => `${prefix}-${randomUUID().slice(0, 12)}`

export const uniqueEmail = (name = 'user') => `${name}-${randomUUID().slice(0, 12)}@tests.example`

/** The super admin of the tests uses one token for all requests. */
export function signedIn(client: ApiClient, email: string, options?: TokenOptions) {
  const isShared = email === SUPER_ADMIN && !options
  const send = async (
    method: 'get' | 'post' | 'put' | 'patch' | 'delete',
    path: string,
    body?: object,
    headers: Record<string, string> = {}
  ) => {
    // Get the token first, because awaiting a request sends it.
    const token = await (isShared ? issuer.reusedToken(email) : issuer.token(email, options))
    const request = client[method](path).headers(headers).header('authorization', `Bearer ${token}`)
    return body === undefined ? await request : await request.json(body)
  }
  return {
    email,
    get: (path: string) => send('get', path),
    post: (path: string, body?: object, headers?: Record<string, string>) =>
      send('post', path, body, headers),
    put: (path: string, body?: object) => send('put', path, body),
    patch: (path: string, body?: object) => send('patch', path, body),
    delete: (path: string, body?: object) => send('delete', path, body),
  }
}

export const superAdmin = (client: ApiClient) => signedIn(client, SUPER_ADMIN)

export function anApplication(fields: { code?: string; name?: string } = {}): Promise<Application> {
  const code = fields.code ?? uniqueCode()
  return createApplication({ code, name: fields.name ?? code })
}

/** For entries with dates in the past. */
export async function anOldApplication(): Promise<Application> {
  const application = await anApplication()
  return application.merge({ createdAt: DateTime.utc(2020) }).save()
}

/** Removed when the test ends. */
export async function aSuperAdmin(cleanup: (callback: () => Promise<void>) => void) {
  const email = uniqueEmail('super')
  await SuperAdmin.create({ email })
  cleanup(async () => void (await SuperAdmin.query().where({ email }).delete()))
  return email
}

export async function anAdministratorOf(application: Application) {
  const email = uniqueEmail('admin')
  await ApplicationAdmin.create({ email, applicationId: application.id })
  return email
}
