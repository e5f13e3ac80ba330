import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import { DateTime } from 'luxon'
import { acquireLease, releaseLease } from '#core/database/leases/leases'
import User from '#app/profiles/models/user'
import { eventually } from '#tests/helpers/eventually'
import { inPath } from '#tests/helpers/management'
import { signedIn, superAdmin, uniqueEmail } from '#tests/helpers/people'
import { minutesFromNow, namesOf, profileOf, withNames } from '#tests/helpers/profiles'
import { sameDatabase } from '#tests/helpers/same_database'
import { sendJson } from '#tests/world/http_server'
import { IdentityApi } from '#tests/world/identity_api'
import { subjectOf } from '#tests/world/issuer'
import { issuer } from '#tests/world/prepare'
import { type RunningService, type ServiceSettings, startService } from '#tests/world/service'

const NAMES = { firstName: 'Grace', lastName: 'Hopper', displayName: 'Amazing Grace' }

let api: IdentityApi
let service: RunningService

/** Starts the provider's API and a service that uses it. */
async function begin(settingsFor: (api: IdentityApi) => ServiceSettings) {
  api = await new IdentityApi().start()
  service = await startService({ ...sameDatabase(), IDP_API_URL: api.url, ...settingsFor(api) })
  return async () => {
    await service.stop()
    await api.stop()
  }
}

function aPerson(client: ApiClient) {
  const email = uniqueEmail()
  const userId = subjectOf(email)
  api.addUser({ userId, email })
  const person = signedIn(client, email)
  const path = `${service.url}/api/profile/me`
  return { email, userId, update: (body: object) => person.put(path, body) }
}

const patches = () => api.requests.filter(({ method }) => method === 'PATCH')
const writtenNames = () => JSON.parse(patches().at(-1)!.body)

test.group('Names at the identity provider, with a personal access token', (group) => {
  group.setup(() => begin(({ personalToken }) => ({ IDP_SERVICE_ACCOUNT_TOKEN: personalToken })))
  group.each.setup(() => {
    api.refusal = undefined
    api.version.clearsNames = false
    api.beforeWrite = async () => {}
  })

  test('are changed with the service account', async ({ assert, client }) => {
    const { email, userId, update } = aPerson(client)
    const response = await update({ ...NAMES, theme: 'dark' })

    response.assertStatus(200)
    assert.containSubset(response.body().data, { ...NAMES, theme: 'dark' })
    const { url, headers } = patches().at(-1)!
    assert.equal(url, `/v2/users/${userId}`)
    assert.equal(headers.authorization, `Bearer ${api.personalToken}`)
    assert.deepEqual(writtenNames(), {
      human: {
        profile: { givenName: 'Grace', familyName: 'Hopper', displayName: 'Amazing Grace' },
      },
    })
    assert.deepEqual(await namesOf(client, email), ['Grace', 'Hopper', 'Amazing Grace'])
  })

  test('are changed there before they are stored here', async ({ assert, client }) => {
    const { email, update } = aPerson(client)
    let during: unknown
    api.beforeWrite = async () => {
      during = await namesOf(client, email)
    }
    await update(NAMES)
    assert.deepEqual(during, [null, null, email.split('@')[0]])
  })

  test('include only the changed ones and the display name', async ({ assert, client }) => {
    const { userId, update } = aPerson(client)
    await update({ lastName: 'Murray' })
    assert.deepEqual(writtenNames().human.profile, { familyName: 'Murray', displayName: 'Murray' })
    await update({ firstName: 'Grace' })
    assert.deepEqual(writtenNames().human.profile, {
      givenName: 'Grace',
      displayName: 'Grace Murray',
    })
    await update({ displayName: 'Amazing Grace' })
    assert.deepEqual(writtenNames().human.profile, { displayName: 'Amazing Grace' })
    await update({ lastName: 'Hopper' })
    assert.deepEqual(api.state.users.get(userId)?.profile, {
      givenName: 'Grace',
      familyName: 'Hopper',
      displayName: 'Amazing Grace',
    })
  })

  test('that are already known there are stored here', async ({ assert, client }) => {
    const { email, userId, update } = aPerson(client)
    api.addUser({
      userId,
      profile: { givenName: 'Grace', familyName: 'Hopper', displayName: 'Amazing Grace' },
    })
    const response = await update(NAMES)
    response.assertStatus(200)
    assert.deepEqual(await namesOf(client, email), ['Grace', 'Hopper', 'Amazing Grace'])
  })

  test('refused there with {status} return 400 with the reason, and nothing is stored')
    .with([
      { status: 400, code: 3 },
      { status: 409, code: 6 },
      { status: 412, code: 9 },
      { status: 422, code: 3 },
    ])
    .run(async ({ assert, client }, { status, code }) => {
      const { email, update } = aPerson(client)
      const before = await profileOf(client, email)
      api.refusal = { status, code, message: 'The name is on the list of forbidden names' }
      const response = await update({ ...NAMES, theme: 'dark', timezone: 'UTC' })
      response.assertProblem(400, 'NAME_REFUSED', {
        reason: 'The name is on the list of forbidden names',
      })
      assert.deepEqual(await profileOf(client, email), before)
      // The names do not count as changed either: an earlier token may still set them.
      const earlier = withNames(client, email, { given_name: 'Token' }, minutesFromNow(-1))
      await earlier.get('/api/profile/me')
      assert.equal((await profileOf(client, email)).firstName, 'Token')
    })

  test('are refused with a reason that is one short line without secrets', async ({
    assert,
    client,
  }) => {
    const { update } = aPerson(client)
    const secret = api.personalToken
    for (const [message, reason] of [
      ['no\u0000 such\r\n\u001b[31mname\u202e\ud800 ', 'no such [31mname'],
      [`refused for Bearer ${secret}`, 'refused for Bearer …'],
      [`${'x'.repeat(195)}${secret}`, `${'x'.repeat(195)}…`],
      [`${'x'.repeat(199)}😀 and more`, 'x'.repeat(199)],
      ['y'.repeat(4_000), 'y'.repeat(200)],
      // Looking for secrets would take too long.
      ['y'.repeat(500_000), '…'],
      ['\n\t', 'invalid'],
      [{ text: 'no' }, 'invalid'],
    ] as const) {
      api.refusal = { status: 400, code: 3, message: message as string }
      const response = await update(NAMES)
      response.assertProblem(400, 'NAME_REFUSED')
      assert.equal(response.body().details.reason, reason)
    }
  })

  test('are cleared there and here, as far as it allows that', async ({ assert, client }) => {
    const { email, userId, update } = aPerson(client)
    await update(NAMES)
    const before = await profileOf(client, email)
    const refused = await update({ firstName: null, theme: 'dark' })
    refused.assertProblem(400, 'NAME_REFUSED')
    assert.match(refused.body().details.reason, /givenName/)
    assert.deepEqual(await profileOf(client, email), before)

    const allowed = await update({ displayName: null })
    allowed.assertStatus(200)
    assert.equal(allowed.body().data.displayName, 'Grace Hopper')
    assert.equal(api.state.users.get(userId)?.profile.displayName, 'Grace Hopper')

    api.version.clearsNames = true
    const cleared = await update({ firstName: null, lastName: null })
    const [localPart] = email.split('@')
    cleared.assertStatus(200)
    assert.deepEqual(await namesOf(client, email), [null, null, localPart])
    assert.deepEqual(api.state.users.get(userId)?.profile, {
      givenName: '',
      familyName: '',
      displayName: localPart,
    })
  })

  test('are the same there and here after simultaneous changes', async ({ assert, client }) => {
    const { email, userId, update } = aPerson(client)
    const responses = await Promise.all([
      update({ firstName: 'Grace' }),
      update({ lastName: 'Hopper' }),
      update({ firstName: 'Ada' }),
    ])
    for (const response of responses) response.assertStatus(200)
    const { givenName, familyName, displayName } = api.state.users.get(userId)!.profile
    assert.deepEqual(await namesOf(client, email), [givenName, familyName, displayName])
  })

  test('are 409 while another change takes too long', async ({ assert, client, cleanup }) => {
    const { userId, update } = aPerson(client)
    const lease = [`names:${userId}`, randomUUID()] as const
    await acquireLease(...lease, DateTime.utc().plus({ minutes: 1 }))
    cleanup(async () => void (await releaseLease(...lease)))
    const writes = patches().length
    const response = await update(NAMES)
    response.assertProblem(409, 'ALREADY_AT_WORK')
    assert.lengthOf(patches(), writes)
  })

  const MEANWHILE = [
    { what: 'bound to another account', code: 'IDENTITY_CONFLICT' },
    { what: 'erased', code: 'IDENTITY_CONFLICT' },
    { what: 'deactivated', code: 'USER_INACTIVE' },
  ]

  /** Takes the record from the caller, like a super admin elsewhere. */
  async function take(client: ApiClient, email: string, what: string) {
    const path = `/api/users/${inPath(email)}`
    const admin = superAdmin(client)
    if (what === 'erased') return admin.delete(path)
    if (what === 'deactivated') return admin.put(`${path}/active`, { active: false })
    return admin.put(`${path}/identity`, { idpUserId: randomUUID() })
  }

  test('are 403 if the record is {what} while they wait, and nothing is written')
    .with(MEANWHILE)
    .run(async ({ assert, client, cleanup }, { what, code }) => {
      const { email, userId, update } = aPerson(client)
      const lease = [`names:${userId}`, randomUUID()] as const
      await acquireLease(...lease, DateTime.utc().plus({ minutes: 1 }))
      cleanup(async () => void (await releaseLease(...lease)))
      const writes = patches().length
      const waiting = update({ ...NAMES, theme: 'dark' }).then((response) => response)
      await eventually('its guards have accepted it', async () => {
        return (await User.findBy({ email }))?.idpUserId === userId
      })
      const taken = await take(client, email, what)
      assert.oneOf(taken.status(), [200, 204])
      await releaseLease(...lease)
      const response = await waiting
      response.assertProblem(403, code)
      assert.lengthOf(patches(), writes)
      const record = await User.findBy({ email })
      assert.oneOf(record?.firstName, [null, undefined])
      assert.notEqual(record?.theme, 'dark')
    })

  test('are 403 if the record is {what} while they are written, and nothing is stored')
    .with(MEANWHILE)
    .run(async ({ assert, client }, { what, code }) => {
      const { email, userId, update } = aPerson(client)
      api.beforeWrite = async () => void (await take(client, email, what))
      const response = await update({ ...NAMES, theme: 'dark' })
      response.assertProblem(403, code)
      assert.equal(patches().at(-1)!.url, `/v2/users/${userId}`)
      const record = await User.findBy({ email })
      assert.oneOf(record?.firstName, [null, undefined])
      assert.notEqual(record?.theme, 'dark')
    })

  test('refused there with {status} return 502, and nothing is stored')
    .with([
      { status: 403, code: 7 },
      { status: 404, code: 5 },
      { status: 429, code: 8 },
      { status: 500, code: 13 },
      { status: 503, code: 14 },
      { status: 302, code: 0 },
    ])
    .run(async ({ assert, client }, { status, code }) => {
      const { email, update } = aPerson(client)
      const before = await profileOf(client, email)
      api.refusal = { status, code, message: `no ${email}` }
      const response = await update({ ...NAMES, theme: 'dark', timezone: 'UTC' })
      response.assertProblem(502, 'UPSTREAM_UNREACHABLE')
      assert.notInclude(response.text(), email)
      assert.deepEqual(await profileOf(client, email), before)
      // The names do not count as changed either: an earlier token may still set them.
      await withNames(client, email, { given_name: 'Token' }, minutesFromNow(-1)).get(
        '/api/profile/me'
      )
      assert.equal((await profileOf(client, email)).firstName, 'Token')
    })

  test('of an unknown user return 502', async ({ client }) => {
    const { userId, update } = aPerson(client)
    api.state.users.delete(userId)
    const response = await update(NAMES)
    response.assertProblem(502, 'UPSTREAM_UNREACHABLE')
  })

  test('return 502 while it is down', async ({ assert, client }) => {
    const { email, update } = aPerson(client)
    const before = await profileOf(client, email)
    await api.stop()
    const response = await update({ ...NAMES, theme: 'dark' })
    const whileDown = await profileOf(client, email)
    const others = await update({ theme: 'dark', locale: 'cs' })
    await api.start()

    response.assertProblem(502, 'UPSTREAM_UNREACHABLE')
    assert.deepEqual(whileDown, before)
    others.assertStatus(200)
    const again = await update(NAMES)
    again.assertStatus(200)
    assert.deepEqual(await namesOf(client, email), ['Grace', 'Hopper', 'Amazing Grace'])
  })

  test('return 502 when it does not respond in time', async ({ assert, client }) => {
    const { email, update } = aPerson(client)
    const before = await profileOf(client, email)
    api.beforeWrite = () => new Promise(() => {})
    const response = await update(NAMES)
    response.assertProblem(502, 'UPSTREAM_UNREACHABLE')
    assert.deepEqual(await profileOf(client, email), before)
  })

  test('are not changed when another field is refused', async ({ assert, client }) => {
    const { email, update } = aPerson(client)
    const count = patches().length
    for (const body of [
      { ...NAMES, brand: 'no-such-brand' },
      { ...NAMES, locale: 'xx' },
      { ...NAMES, timezone: 'Nowhere' },
    ]) {
      const response = await update(body)
      response.assertStatus(400)
    }
    assert.lengthOf(patches(), count)
    assert.equal((await profileOf(client, email)).firstName, null)
  })

  test('are not changed by a request without names', async ({ assert, client }) => {
    const { update } = aPerson(client)
    const count = patches().length
    const response = await update({ theme: 'dark' })
    response.assertStatus(200)
    assert.lengthOf(patches(), count)
  })

  test('are not retried with a rejected token', async ({ assert, client }) => {
    const { update } = aPerson(client)
    const count = patches().length
    api.refusal = { status: 401, code: 16, message: 'token expired' }
    const response = await update(NAMES)
    response.assertProblem(502, 'UPSTREAM_UNREACHABLE')
    assert.lengthOf(patches(), count + 1)
  })

  test('are changed for the token’s subject, whatever its id looks like', async ({
    assert,
    client,
  }) => {
    const email = uniqueEmail()
    const person = signedIn(client, email, { claims: { sub: '../admin?x=1#' } })
    await person.put(`${service.url}/api/profile/me`, NAMES)
    assert.equal(patches().at(-1)!.url, '/v2/users/..%2Fadmin%3Fx%3D1%23')
  })

  test('are changed for the longest possible id', async ({ assert, client }) => {
    const [email, userId] = [uniqueEmail(), randomUUID().padEnd(255, 'x')]
    api.addUser({ userId, email })
    const person = signedIn(client, email, { claims: { sub: userId } })
    const response = await person.put(`${service.url}/api/profile/me`, NAMES)
    response.assertStatus(200)
    assert.equal(patches().at(-1)!.url, `/v2/users/${userId}`)
  })
})

test.group('Names at the identity provider, with a private key', (group) => {
  group.setup(() =>
    begin((provider) => ({
      IDP_SERVICE_ACCOUNT_KEY_FILE: provider.writeKeyFile(),
      IDP_SERVICE_ACCOUNT_TOKEN: undefined,
    }))
  )
  group.each.setup(() => {
    api.refusal = undefined
    api.tokens.acceptsIssued = true
    api.tokens.lifetimeSeconds = 43_199
    api.tokens.revokeIssued()
    const { fallback: further } = issuer
    issuer.fallback = api.tokenEndpoint(issuer)
    return () => {
      issuer.fallback = further
    }
  })

  test('are changed with a cached token obtained with the key', async ({ assert, client }) => {
    const { email, update } = aPerson(client)
    await update(NAMES)
    const issued = api.tokens.issued
    for (const lastName of ['Murray', 'Hopper', 'Murray-Hopper']) {
      const response = await update({ lastName })
      response.assertStatus(200)
    }
    assert.equal(api.tokens.issued, issued)
    assert.isAbove(issued, 0)
    assert.deepEqual(await namesOf(client, email), ['Grace', 'Murray-Hopper', 'Amazing Grace'])
  })

  test('are retried with a new token when the cached one is rejected', async ({
    assert,
    client,
  }) => {
    const { email, update } = aPerson(client)
    await update({ firstName: 'Ada' })
    const [issued, sent] = [api.tokens.issued, patches().length]
    api.tokens.revokeIssued()
    const response = await update(NAMES)
    response.assertStatus(200)
    assert.equal(api.tokens.issued, issued + 1)
    assert.lengthOf(patches(), sent + 2)
    assert.equal((await profileOf(client, email)).firstName, 'Grace')
  })

  test('that are unchanged on the retry are stored', async ({ client }) => {
    const { userId, update } = aPerson(client)
    await update({ firstName: 'Ada' })
    api.addUser({
      userId,
      profile: { givenName: 'Grace', familyName: 'Hopper', displayName: 'Amazing Grace' },
    })
    api.tokens.revokeIssued()
    const response = await update(NAMES)
    response.assertStatus(200)
  })

  test('are retried only once', async ({ assert, client }) => {
    const { email, update } = aPerson(client)
    await update({ firstName: 'Ada' })
    const [issued, sent] = [api.tokens.issued, patches().length]
    api.tokens.revokeIssued()
    api.tokens.acceptsIssued = false
    const response = await update(NAMES)
    response.assertProblem(502, 'UPSTREAM_UNREACHABLE')
    assert.equal(api.tokens.issued, issued + 1)
    assert.lengthOf(patches(), sent + 2)
    assert.equal((await profileOf(client, email)).firstName, 'Ada')
  })

  test('are not changed with a token about to expire', async ({ assert, client }) => {
    const { update } = aPerson(client)
    api.tokens.lifetimeSeconds = 59
    api.tokens.revokeIssued()
    await update({ firstName: 'Ada' })
    const issued = api.tokens.issued
    await update({ firstName: 'Grace' })
    assert.equal(api.tokens.issued, issued + 1)
  })

  test('return 502 when no token can be obtained', async ({ assert, client }) => {
    const { email, update } = aPerson(client)
    for (const [status, body] of [
      [400, { error: 'invalid_grant' }],
      [500, {}],
      [200, null],
      [200, { access_token: 5 }],
    ] as const) {
      api.tokens.revokeIssued()
      issuer.fallback = (_, response) => sendJson(response, body, status)
      const response = await update(NAMES)
      response.assertProblem(502, 'UPSTREAM_UNREACHABLE')
    }
    assert.equal((await profileOf(client, email)).firstName, null)
  })
})

test.group('Names at the identity provider, with a key file that is not there', () => {
  test('are 502, and the response reveals no path', async ({ assert, client, cleanup }) => {
    cleanup(
      await begin(() => ({
        IDP_SERVICE_ACCOUNT_KEY_FILE: '/no/such/key.json',
        IDP_SERVICE_ACCOUNT_TOKEN: undefined,
      }))
    )
    const { email, update } = aPerson(client)
    const response = await update(NAMES)
    response.assertProblem(502, 'UPSTREAM_UNREACHABLE')
    assert.notMatch(response.text(), /key\.json|ENOENT/)
    assert.equal((await profileOf(client, email)).firstName, null)
  })
})

test.group('Names without a service account', () => {
  test('are stored here only', async ({ assert, client }) => {
    const person = signedIn(client, uniqueEmail())
    const response = await person.put('/api/profile/me', NAMES)
    response.assertStatus(200)
    assert.deepEqual(await namesOf(client, person.email), ['Grace', 'Hopper', 'Amazing Grace'])
  })
})
