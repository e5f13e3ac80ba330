import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { DateTime } from 'luxon'
import type { Assert } from '@japa/assert'
import type { ApiClient } from '@japa/api-client'
import { withLease } from '#core/database/leases/with_lease'
import AuditEntry from '#app/audit/models/audit_entry'
import ProviderSigningKey from '#app/identity_provider/models/provider_signing_key'
import { HookHeartbeat } from '#app/identity_provider/email_provider/record_hook_heartbeat'
import Notification from '#app/notifications/models/notification'
import { eventually } from '#tests/helpers/eventually'
import { TIMESTAMP } from '#tests/helpers/management'
import { deleteStoredProvider, storedProvider } from '#tests/helpers/notification_provider'
import { HOOK_PATH } from '#tests/helpers/provider_hook'
import { uniqueId } from '#tests/helpers/provider_events'
import { aBrand } from '#tests/helpers/platform'
import { subjectOf } from '#tests/world/issuer'
import { SUPER_ADMIN } from '#tests/world/prepare'
import { superAdmin } from '#tests/helpers/people'
import { sameDatabase } from '#tests/helpers/same_database'
import { IdentityApi } from '#tests/world/identity_api'
import { freePort } from '#tests/world/free_port'
import { type RunningService, type ServiceSettings, startService } from '#tests/world/service'

const PATH = '/api/idp/admin/notification-provider'

let api: IdentityApi
let service: RunningService
let sibling: RunningService

const settings = (more: ServiceSettings = {}): ServiceSettings => ({
  ...sameDatabase(),
  LOG_LEVEL: 'debug',
  APP_URL: 'https://concierge.example',
  IDP_API_URL: api.url,
  IDP_SERVICE_ACCOUNT_TOKEN: api.personalToken,
  ...more,
})

const ENDPOINT = 'https://concierge.example/api/idp/notifications/email'

const setUp = (client: ApiClient, body: object = {}, { url } = service) =>
  superAdmin(client).post(`${url}${PATH}/setup`, body)
const activate = (client: ApiClient) => superAdmin(client).post(`${service.url}${PATH}/activate`)
const preview = (client: ApiClient, query = '') =>
  superAdmin(client).get(`${service.url}${PATH}/setup${query}`)
const sendTest = (client: ApiClient) => superAdmin(client).post(`${service.url}${PATH}/test`)
const status = (client: ApiClient) => superAdmin(client).get(`${service.url}${PATH}`)

const folder = mkdtempSync(join(tmpdir(), 'concierge-keys-'))
const APPLICATION_KEY = join(folder, 'application.json')

function writeApplicationKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const key = privateKey.export({ type: 'pkcs1', format: 'pem' })
  writeFileSync(APPLICATION_KEY, JSON.stringify({ type: 'application', keyId: '1', key }))
}

/** Adds a provider as someone else, or a failed run, would have left it. */
function aProviderThere(fields: { isActive?: boolean; endpoint?: string; smtp?: boolean }) {
  const id = String(400_000_000_000_000_000n + BigInt(api.emailProviders.length))
  const http = { endpoint: fields.endpoint ?? ENDPOINT, signingKey: `key-of-${id}` }
  api.state.emailProviders.set(id, {
    id,
    isActive: fields.isActive ?? false,
    description: 'made elsewhere',
    ...(fields.smtp ? { smtp: { host: 'smtp.example' } } : { http }),
  })
  return id
}

/** Asserts one active provider of ours with its key, and no change to others. */
async function assertSetUp(assert: Assert) {
  const ours = api.emailProviders.filter(({ http }) => http?.endpoint === ENDPOINT)
  assert.lengthOf(ours, 1)
  const [{ id, isActive, http }] = ours
  const stored = await storedProvider()
  assert.isTrue(isActive)
  assert.equal(stored.id, id)
  assert.equal(stored.keys[0], http!.signingKey)
  assert.lengthOf(
    api.emailProviders.filter((other) => other.smtp),
    1,
    "the operator's own is still there"
  )
}

async function startOver() {
  await deleteStoredProvider()
  api.state.emailProviders.clear()
  aProviderThere({ smtp: true, isActive: true })
  api.denied.clear()
  api.lag = 0
  api.version.signs = true
  api.version.returnsKeyOnAdding = true
  api.fault()
}

test.group('The notification provider', (group) => {
  group.setup(async () => {
    api = await new IdentityApi().start()
    service = await startService(settings())
    sibling = await startService(settings())
    return async () => {
      await Promise.all([service.stop(), sibling.stop()])
      await api.stop()
      await deleteStoredProvider()
    }
  })
  group.each.setup(startOver)

  test('is not configured before setup', async ({ assert, client }) => {
    const response = await status(client)
    response.assertStatus(200)
    assert.deepEqual(response.body(), {
      configured: false,
      providerId: null,
      endpoint: ENDPOINT,
      hasSigningKey: false,
      serviceAccountConfigured: true,
      encryptionKeyConfigured: true,
      lastHookCallAt: null,
    })
  })

  test('is added at the provider, its key stored here, and then activated', async ({
    assert,
    client,
  }) => {
    const response = await setUp(client)
    response.assertStatus(200)
    await assertSetUp(assert)
    const { id } = await storedProvider()
    const expected = {
      configured: true,
      providerId: id,
      endpoint: ENDPOINT,
      hasSigningKey: true,
      serviceAccountConfigured: true,
      encryptionKeyConfigured: true,
      lastHookCallAt: null,
    }
    assert.deepEqual(response.body(), { ...expected, active: true })
    assert.deepEqual((await status(client)).body(), expected)
    const [add, activation] = ['addEmailProvider', 'activateEmailProvider'].map((name) =>
      api.operations.indexOf(name)
    )
    assert.isAbove(activation, add)
  })

  test('is previewed step by step, and nothing is changed', async ({ assert, client }) => {
    const [{ id: smtp }] = api.emailProviders
    const stale = aProviderThere({})
    const before = structuredClone(api.emailProviders)
    const first = await preview(client)
    first.assertStatus(200)
    assert.deepEqual(first.body().steps, [
      { action: 'add', providerId: null },
      { action: 'activate', providerId: null },
      { action: 'replace', providerId: smtp },
      { action: 'remove', providerId: stale },
    ])
    const { permissions } = first.body()
    assert.deepInclude(permissions, { permission: 'iam.write', granted: true })
    assert.deepEqual(api.emailProviders, before)

    await setUp(client)
    const { id: providerId } = await storedProvider()
    assert.deepEqual((await preview(client)).body().steps, [])
    const rotation = await preview(client, '?rotate=true')
    assert.deepEqual(rotation.body().steps, [{ action: 'rotate_key', providerId }])
    api.state.emailProviders.get(providerId!)!.http!.endpoint = 'https://former.example/hook'
    const moved = await preview(client)
    assert.deepEqual(moved.body().steps, [{ action: 'change_endpoint', providerId }])
  })

  test('is previewed without steps if the service account cannot read', async ({
    assert,
    client,
  }) => {
    api.denied.add('iam.read')
    const response = await preview(client)
    response.assertStatus(200)
    assert.isEmpty(response.body().steps)
    const missing = { permission: 'iam.read', granted: false }
    assert.deepInclude(response.body().permissions, missing)
  })

  test('sends a test mail to the caller, which arrives at the hook', async ({ assert, client }) => {
    const early = await sendTest(client)
    early.assertProblem(409, 'PROVIDER_NOT_SET_UP')
    await setUp(client)
    const { id } = await storedProvider()
    api.state.emailProviders.get(id!)!.http!.endpoint = `${service.url}${HOOK_PATH}`
    api.state.users.clear()
    const unknown = await sendTest(client)
    unknown.assertProblem(404, 'USER_NOT_FOUND')

    const { idpOrgId: orgId } = await aBrand(client, { idpOrgId: uniqueId() })
    api.addUser({ userId: subjectOf(SUPER_ADMIN), email: SUPER_ADMIN, orgId })
    const response = await sendTest(client)
    response.assertStatus(200)
    const { email, requestedAt } = response.body()
    assert.equal(email, SUPER_ADMIN)
    assert.match(requestedAt, TIMESTAMP)
    await eventually('the mail is in the log', async () => {
      const entries = await Notification.query().where({ email })
      const mails = entries.filter(({ type }) => type === 'auth_idp')
      return mails.some(({ createdAt }) => createdAt >= DateTime.fromISO(requestedAt))
    })
    const [entry] = await AuditEntry.query().orderBy('id', 'desc').limit(1)
    assert.containSubset(entry, { action: 'notification_provider.tested', actorEmail: email })
    await withLease(`test-mail:${subjectOf(SUPER_ADMIN)}`, async () => {
      const meanwhile = await sendTest(client)
      meanwhile.assertProblem(409, 'ALREADY_AT_WORK')
    })
    api.denied.add('user.write')
    const denied = await sendTest(client)
    denied.assertProblem(409, 'SERVICE_ACCOUNT_LACKS_PERMISSION')
  })

  test('says why it can be neither previewed nor tested', async ({ client }) => {
    await setUp(client)
    // A preview ends with the first call that fails, so its other calls may arrive later.
    for (const attempt of [sendTest, preview]) {
      api.fault({ at: 1, when: 'before', how: 'die' })
      const cut = await attempt(client)
      cut.assertProblem(502, 'UPSTREAM_UNREACHABLE')
      api.fault()
      api.refusal = { status: 400, code: 3, message: 'Errors.Invalid' }
      const refused = await attempt(client)
      refused.assertProblem(400, 'IDENTITY_PROVIDER_REFUSED')
      api.refusal = undefined
    }
  })

  test('is stored before it is activated', async ({ assert, client }) => {
    let atActivation: unknown
    api.beforeWrite = async () => {
      if (api.operations.at(-1) === 'activateEmailProvider') atActivation = await storedProvider()
    }
    await setUp(client)
    api.beforeWrite = async () => {}
    assert.deepEqual(atActivation, await storedProvider())
  })

  test('leaves an audit entry for an activation whose response is lost or empty', async ({
    assert,
    client,
  }) => {
    await setUp(client)
    const { id } = await storedProvider()
    const activations = async (attempt: typeof activate) => {
      const [last] = await AuditEntry.query().orderBy('id', 'desc').limit(1)
      const response = await attempt(client)
      const entries = await AuditEntry.query().where('id', '>', last!.id)
      const actions = entries.filter(({ targetId }) => targetId === id).map(({ action }) => action)
      return { status: response.status(), actions }
    }
    for (const how of ['die', 'empty'] as const) {
      for (const attempt of [setUp, activate]) {
        api.emailProviders.find((one) => one.id === id)!.isActive = false
        api.fault({ at: 'activateEmailProvider', when: 'after', how })
        assert.deepEqual(await activations(attempt), {
          status: how === 'die' ? 502 : 200,
          actions: ['notification_provider.activated'],
        })
      }
    }
    assert.deepEqual(await activations(activate), { status: 200, actions: [] })
  })

  test('leaves an audit entry for whatever a setup writes before it fails', async ({
    assert,
    client,
  }) => {
    const setups = {
      added: async () => {},
      rotated: async () => void (await setUp(client)),
      repaired: async () => void [aProviderThere({ isActive: true }), aProviderThere({})],
    }
    const cases = Object.entries(setups).flatMap(([title, prepare]) => [
      { title: `${title}, response lost`, prepare, how: 'die' as const },
      { title: `${title}, response empty`, prepare, how: 'empty' as const },
    ])
    for (const { title, prepare, how } of cases) {
      for (let call = 1; ; call++) {
        await startOver()
        await prepare()
        const [last] = await AuditEntry.query().orderBy('id', 'desc').limit(1)
        let isWritten = false
        api.beforeWrite = async () => {
          isWritten = true
        }
        api.fault({ at: call, when: 'after', how })
        await setUp(client, { rotate: true })
        api.beforeWrite = async () => {}
        if (!api.faultHappened) break
        const actions = (await AuditEntry.query().where('id', '>', last.id)).map(
          (one) => one.action
        )
        const found = actions.some((action) => action.startsWith('notification_provider.'))
        assert.equal(found, isWritten, `${title}, at call ${call}`)
      }
    }
  }).timeout(120_000)

  test('is unchanged by another setup', async ({ assert, client }) => {
    await setUp(client)
    const before = [structuredClone(api.emailProviders), await storedProvider()]
    const response = await setUp(client)
    response.assertStatus(200)
    assert.deepEqual([api.emailProviders, await storedProvider()], before)
  })

  test('is replaced, not duplicated, if its key was never stored', async ({ assert, client }) => {
    const lost = [aProviderThere({ isActive: true }), aProviderThere({})]
    const response = await setUp(client)
    response.assertStatus(200)
    await assertSetUp(assert)
    assert.isFalse(lost.includes((await storedProvider()).id!))
  })

  test('does not change providers of others', async ({ assert, client }) => {
    const other = aProviderThere({ endpoint: 'https://other.example/hook' })
    await setUp(client)
    await assertSetUp(assert)
    assert.isTrue(api.state.emailProviders.has(other))
  })

  test('is added again if it was removed', async ({ assert, client }) => {
    await setUp(client)
    api.state.emailProviders.delete((await storedProvider()).id!)
    const response = await setUp(client)
    response.assertStatus(200)
    await assertSetUp(assert)
  })

  test('is replaced if its stored key cannot be decrypted', async ({ assert, client }) => {
    await setUp(client)
    const key = await ProviderSigningKey.firstOrFail()
    await key.merge({ signingKey: 'idp.encrypted-with-another-key' }).save()
    assert.include((await status(client)).body(), { configured: false, hasSigningKey: false })
    const response = await setUp(client)
    response.assertStatus(200)
    await assertSetUp(assert)
  })

  test('gets the current endpoint of this service', async ({ assert, client }) => {
    await setUp(client)
    const { id } = await storedProvider()
    api.state.emailProviders.get(id!)!.http!.endpoint = 'https://former.example/hook'
    await setUp(client)
    await assertSetUp(assert)
    assert.equal((await storedProvider()).id, id)
  })

  test('is activated again if another one took its place', async ({ assert, client }) => {
    const early = await activate(client)
    early.assertProblem(409, 'PROVIDER_NOT_SET_UP')
    await setUp(client)
    aProviderThere({ smtp: true })
    for (const provider of api.emailProviders) provider.isActive = provider.smtp !== undefined
    const response = await activate(client)
    response.assertStatus(200)
    assert.isTrue(response.body().active)
    const { id } = await storedProvider()
    assert.deepEqual(
      api.emailProviders.filter(({ isActive }) => isActive).map((one) => one.id),
      [id]
    )
    api.state.emailProviders.delete(id!)
    const gone = await activate(client)
    gone.assertProblem(409, 'PROVIDER_NOT_SET_UP')
  })

  test('gets a new key and accepts the previous ones for ten minutes', async ({
    assert,
    client,
  }) => {
    await setUp(client)
    const { id, keys } = await storedProvider()
    const response = await setUp(client, { rotate: true })
    response.assertStatus(200)
    await assertSetUp(assert)
    const after = await storedProvider()
    assert.equal(after.id, id)
    assert.lengthOf(after.keys, 2)
    assert.equal(after.keys[1], keys[0])
  })

  test('gets a new key if its key was changed there but never stored here', async ({
    assert,
    client,
  }) => {
    await setUp(client)
    const { id, keys } = await storedProvider()
    api.state.emailProviders.get(id!)!.http!.signingKey = 'changed-there'
    await setUp(client)
    await assertSetUp(assert)
    const after = await storedProvider()
    assert.equal(after.id, id)
    assert.equal(after.keys[1], keys[0])
  })

  test('gets its key from versions that return it later or create none', async ({
    assert,
    client,
  }) => {
    api.version.returnsKeyOnAdding = false
    await setUp(client)
    await assertSetUp(assert)
    await startOver()
    api.version.signs = false
    await setUp(client)
    await assertSetUp(assert)
  })

  test('is added once by concurrent setups', async ({ assert, client }) => {
    aProviderThere({ isActive: true })
    const responses = await Promise.all(
      [service, sibling, service, sibling].map((one) => setUp(client, {}, one))
    )
    for (const response of responses) response.assertStatus(200)
    await assertSetUp(assert)
    assert.lengthOf(
      api.operations.filter((name) => name === 'addEmailProvider'),
      1
    )
  })

  test('is added once even if the reads of the provider lag behind', async ({ assert, client }) => {
    api.lag = 3
    api.fault({ at: 'addEmailProvider', when: 'after', how: 'die' })
    const failed = await setUp(client)
    failed.assertProblem(502, 'UPSTREAM_UNREACHABLE')
    const again = await setUp(client)
    again.assertStatus(200)
    await assertSetUp(assert)
    const onceMore = await setUp(client)
    onceMore.assertStatus(200)
    await assertSetUp(assert)
  })

  for (const [what, prepare, body] of [
    ['its setup', async () => aProviderThere({ isActive: true }), {}],
    ['the change of its key', async (client: ApiClient) => setUp(client), { rotate: true }],
  ] as const) {
    test(`is complete if ${what} is repeated after a failure ({how}) {when} any call took effect`)
      .with([
        { when: 'before', how: 'die' },
        { when: 'after', how: 'die' },
        { when: 'before', how: 503 },
        { when: 'after', how: 503 },
      ] as const)
      .run(async ({ assert, client }, { when, how }) => {
        for (let at = 1; ; at++) {
          await startOver()
          await prepare(client)
          api.fault({ at, when, how })
          const response = await setUp(client, body)
          if (!api.faultHappened) {
            assert.isAbove(at, 3)
            break
          }
          response.assertProblem(502, 'UPSTREAM_UNREACHABLE')
          const again = await setUp(client, body)
          again.assertStatus(200)
          await assertSetUp(assert)
        }
      })
  }

  test('is complete after the process that set it up was killed', async ({ assert, client }) => {
    const victim = await startService(settings())
    api.fault({ at: 'activateEmailProvider', when: 'before', how: 'hang' })
    const failing = setUp(client, {}, victim).catch(() => undefined)
    await eventually('it is about to be activated', () => api.faultHappened)
    victim.process.kill('SIGKILL')
    await failing
    await victim.stop()
    assert.isFalse(api.emailProviders.some(({ http, isActive }) => http && isActive))

    // The lease expires after half a minute.
    await db.from('provider_leases').update({ held_until: '2020-01-01T00:00:00.000Z' })
    const response = await setUp(client)
    response.assertStatus(200)
    await assertSetUp(assert)
  })

  test('is not stored after the lease expired, and repaired by the next setup', async ({
    assert,
    client,
  }) => {
    const handOver = async () => {
      if (api.operations.at(-1) !== 'addEmailProvider') return
      await db.from('provider_leases').update({ holder: 'someone-else' })
    }
    api.beforeWrite = handOver
    const response = await setUp(client)
    api.beforeWrite = async () => {}
    response.assertProblem(409, 'ALREADY_AT_WORK')
    assert.deepEqual(await storedProvider(), { id: null, keys: [] })
    await db.from('provider_leases').delete()
    await setUp(client)
    await assertSetUp(assert)
  })

  test('names the permission that the service account lacks: {$self}')
    .with(['iam.read', 'iam.write'])
    .run(async ({ assert, client }, permission) => {
      api.denied.add(permission)
      const response = await setUp(client)
      response.assertProblem(409, 'SERVICE_ACCOUNT_LACKS_PERMISSION', { permission })
      assert.isNull((await storedProvider()).id)
    })

  test('reveals neither its key nor the token in responses and logs', async ({
    assert,
    client,
  }) => {
    const responses = [await setUp(client), await setUp(client, { rotate: true })]
    api.fault({ at: 'changeEmailProvider', when: 'after', how: 'die' })
    responses.push(await setUp(client, { rotate: true }), await status(client))
    const { keys } = await storedProvider()
    assert.lengthOf(keys, 2)
    const told = responses.map((response) => response.text()).join('\n') + service.output()
    for (const secret of [...keys, api.personalToken]) assert.notInclude(told, secret!)
  })

  test('refuses an invalid body', async ({ assert, client }) => {
    for (const body of [{ rotate: 'yes' }, { rotate: 1 }, []]) {
      const response = await setUp(client, body)
      response.assertProblem(400, 'VALIDATION_ERROR')
    }
    assert.isNull((await storedProvider()).id)
  })

  test('reports when the e-mail hook was last called', async ({ assert, client }) => {
    await new HookHeartbeat().update()
    await setUp(client)
    const { lastHookCallAt } = (await status(client)).body()
    assert.match(lastHookCallAt, TIMESTAMP)
    assert.closeTo(Date.parse(lastHookCallAt), Date.now(), 60_000)
  })
})

test.group('The notification provider, with missing configuration', (group) => {
  group.setup(async () => {
    writeApplicationKey()
    api = await new IdentityApi().start()
    return async () => {
      rmSync(folder, { recursive: true })
      await api.stop()
    }
  })
  group.each.setup(startOver)

  test('is not set up {0}')
    .with([
      [
        'without a service account',
        { IDP_SERVICE_ACCOUNT_TOKEN: undefined },
        'SERVICE_ACCOUNT_NOT_CONFIGURED',
      ],
      [
        'without an encryption key',
        { IDP_ENCRYPTION_KEY: undefined },
        'ENCRYPTION_KEY_NOT_CONFIGURED',
      ],
      [
        'with a token the provider does not accept',
        { IDP_SERVICE_ACCOUNT_TOKEN: 'pat-expired' },
        'SERVICE_ACCOUNT_REJECTED',
      ],
      [
        'with a key file that is not there',
        { IDP_SERVICE_ACCOUNT_TOKEN: undefined, IDP_SERVICE_ACCOUNT_KEY_FILE: '/no/such/key.json' },
        'SERVICE_ACCOUNT_REJECTED',
      ],
      [
        'with the key file of an application, which names no user',
        { IDP_SERVICE_ACCOUNT_TOKEN: undefined, IDP_SERVICE_ACCOUNT_KEY_FILE: APPLICATION_KEY },
        'SERVICE_ACCOUNT_REJECTED',
      ],
    ] as [string, ServiceSettings, string][])
    .run(async ({ assert, client, cleanup }, [, missing, code]) => {
      service = await startService(settings(missing))
      cleanup(async () => {
        await service.stop()
      })
      const response = await setUp(client)
      response.assertProblem(409, code)
      assert.notMatch(response.text(), /pat-|key\.json/)
      assert.notInclude(service.output(), 'pat-expired')
      assert.lengthOf(api.emailProviders, 1)
      assert.isFalse((await status(client)).body().configured)
    })

  test('responds 502 while the provider is down and changes nothing', async ({
    assert,
    client,
    cleanup,
  }) => {
    service = await startService(settings({ IDP_API_URL: `http://127.0.0.1:${await freePort()}` }))
    cleanup(async () => {
      await service.stop()
    })
    for (const response of [await setUp(client), await setUp(client, { rotate: true })]) {
      response.assertProblem(502, 'UPSTREAM_UNREACHABLE')
    }
    assert.deepEqual(await storedProvider(), { id: null, keys: [] })
  })
})
