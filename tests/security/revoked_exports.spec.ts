import { test } from '@japa/runner'
import { newSecret } from '#app/auth/session/session_cookie'
import type Application from '#app/applications/models/application'
import Role from '#app/permissions/models/role'
import SuperAdmin from '#app/permissions/models/super_admin'
import UserRole from '#app/permissions/models/user_role'
import { aLargeApplication } from '#tests/helpers/access_review'
import { aNotification, manyLargeNotifications } from '#tests/helpers/inbox'
import { inPath } from '#tests/helpers/management'
import { SESSION_COOKIE } from '#tests/helpers/panel_sessions'
import { aSession } from '#tests/helpers/panel_world'
import {
  aSuperAdmin,
  anAdministratorOf,
  signedIn,
  superAdmin,
  uniqueEmail,
} from '#tests/helpers/people'
import { serviceUrl } from '#tests/helpers/send'
import { SlowReader } from '#tests/helpers/slow_reader'
import { issuer } from '#tests/world/prepare'
import authConfig from '#config/auth'
import httpLimits from '#config/http_limits'

/** Reading all of it takes longer than noticing that a right was revoked. */
const MESSAGES = 400
/** A check a second, and the revocation itself. */
const SOON_MS = 6_000
const WHOLE_MS = 50_000

const bearer = async (email: string) => ({ authorization: `Bearer ${await issuer.token(email)}` })

async function exportOf(path: string, headers: Record<string, string>) {
  const reader = await SlowReader.of(serviceUrl() + path, headers)
  if (reader.status !== 200) throw new Error(`${path} was refused: ${reader.status}`)
  return reader
}

test.group('A review of access that is being exported', (group) => {
  let application: Application
  let caller: string

  group.each.setup(async () => {
    application = await aLargeApplication()
    caller = await anAdministratorOf(application)
  })

  const path = () => `/api/applications/${application.code}/access-review`
  const reviewAs = async (email: string, accept = 'text/csv') =>
    exportOf(path(), { ...(await bearer(email)), accept })

  /** Someone whose right would be the last one of the review. */
  async function aLaterRight() {
    const email = uniqueEmail('zzz')
    const { id: roleId } = await Role.findByOrFail({ applicationId: application.id })
    await UserRole.create({ email, roleId })
    return email
  }

  test('ends when its reader is no administrator any more', async ({ assert, client }) => {
    const reader = await reviewAs(caller)
    const removal = `/api/users/admins/apps/${application.code}/${inPath(caller)}`
    ;(await superAdmin(client).delete(removal)).assertStatus(204)
    const later = await aLaterRight()
    const text = await reader.readAll(SOON_MS)
    assert.isFalse(reader.isComplete)
    assert.notInclude(text, later)
  })

  test('ends when its reader is deactivated', async ({ assert, client }) => {
    await signedIn(client, caller).get('/api/profile/me')
    const reader = await reviewAs(caller, 'application/x-ndjson')
    const status = `/api/users/${inPath(caller)}/active`
    ;(await superAdmin(client).put(status, { active: false })).assertStatus(200)
    const later = await aLaterRight()
    const text = await reader.readAll(SOON_MS)
    assert.isFalse(reader.isComplete)
    assert.notInclude(text, later)
  })

  test('ends when the token of its reader expires', async ({ assert }) => {
    const now = Math.floor(Date.now() / 1_000)
    const exp = now + 2 - authConfig.token.clockToleranceSeconds
    const token = await issuer.token(caller, { claims: { exp } })
    const reader = await exportOf(path(), { authorization: `Bearer ${token}`, accept: 'text/csv' })
    await reader.readAll(SOON_MS)
    assert.isFalse(reader.isComplete)
  })

  test('ends with the session of its reader', async ({ assert }) => {
    const [secret, accessToken] = [newSecret(), await issuer.token(caller)]
    const tokens = { accessToken, expiresAt: Date.now() + 3_600_000 }
    const session = await aSession(caller, { secret, tokens })
    const headers = {
      'cookie': `${SESSION_COOKIE}=${secret}`,
      'accept': 'text/csv',
      'x-concierge-panel': '1',
      'sec-fetch-site': 'same-origin',
    }
    const reader = await exportOf(path(), headers)
    await session.delete()
    await reader.readAll(SOON_MS)
    assert.isFalse(reader.isComplete)
  })

  test('ends after a while', async ({ assert, cleanup }) => {
    const { longestMs } = httpLimits.exports
    httpLimits.exports.longestMs = 2_000
    cleanup(() => void (httpLimits.exports.longestMs = longestMs))
    const reader = await reviewAs(caller)
    await reader.readAll(SOON_MS)
    assert.isFalse(reader.isComplete)
  })

  test('is complete, but no longer says who added super admins when its reader is none any more', async ({
    assert,
    client,
    cleanup,
  }) => {
    await SuperAdmin.create({ email: caller })
    const [first, last] = [uniqueEmail('0-super'), uniqueEmail('zzz-super')]
    for (const email of [first, last]) {
      ;(await superAdmin(client).post('/api/users/admins', { email })).assertStatus(201)
    }
    cleanup(async () => {
      const emails = [caller, first, last]
      await SuperAdmin.query().whereIn('email', emails).delete()
    })
    const reader = await reviewAs(caller, 'application/x-ndjson')
    await superAdmin(client).delete(`/api/users/admins/${inPath(caller)}`)
    const lines = (await reader.readAll(WHOLE_MS)).trimEnd().split('\n')
    assert.isTrue(reader.isComplete)
    const rights = lines.map((line) => JSON.parse(line) as { email: string; givenBy: unknown })
    const giverOf = (email: string) => rights.find((right) => right.email === email)!.givenBy
    assert.isNotNull(giverOf(first))
    assert.isNull(giverOf(last))
  }).timeout(60_000)
})

test.group('A user who is being exported', (group) => {
  let user: string

  group.each.setup(async () => {
    user = uniqueEmail()
    await manyLargeNotifications(user, MESSAGES)
  })

  const path = () => `/api/users/${inPath(user)}/export`

  test('is exported no further when the reader is no super admin any more', async ({
    assert,
    client,
    cleanup,
  }) => {
    const caller = await aSuperAdmin(cleanup)
    const reader = await exportOf(path(), await bearer(caller))
    ;(await superAdmin(client).delete(`/api/users/admins/${inPath(caller)}`)).assertStatus(204)
    await aNotification(user, { payload: { text: 'after the revocation' } })
    const text = await reader.readAll(SOON_MS)
    assert.isFalse(reader.isComplete)
    assert.notInclude(text, 'after the revocation')
  })
})
