import { randomUUID } from 'node:crypto'
import { DateTime } from 'luxon'
import { test } from '@japa/runner'
import ApplicationKey from '#app/applications/models/application_key'
import { keyDigest } from '#app/applications/values/key_text'
import { aKeyOf, aMessage, serverWith } from '#tests/helpers/application_keys'
import { dumpDatabase } from '#tests/helpers/database_dump'
import { notificationsOf } from '#tests/helpers/deliveries'
import { eventually } from '#tests/helpers/eventually'
import { TIMESTAMP } from '#tests/helpers/management'
import { takeShareOf } from '#tests/helpers/occupied_places'
import {
  anAdministratorOf,
  anApplication,
  signedIn,
  superAdmin,
  uniqueEmail,
} from '#tests/helpers/people'
import { sameDatabase } from '#tests/helpers/same_database'
import { aTemplate, aType, aVersion } from '#tests/helpers/templates'
import { freePort } from '#tests/world/free_port'
import { INTERNAL_KEY, SUPER_ADMIN, smtp } from '#tests/world/prepare'
import { startProductionService } from '#tests/world/production_service'

test.group('Keys of applications', () => {
  test('an administrator creates, lists and revokes them; the secret is shown once', async ({
    client,
    assert,
  }) => {
    const application = await anApplication()
    const admin = signedIn(client, await anAdministratorOf(application))
    const path = `/api/applications/${application.code}/keys`
    const created = await admin.post(path, { name: 'Server', expiresAt: '2099-01-01T00:00:00Z' })
    created.assertStatus(201)
    const { id, key, prefix, createdAt } = created.body().data
    assert.match(key, /^cgk_[\w-]{49}$/)
    assert.isTrue(key.startsWith(prefix))
    assert.isAtMost(prefix.length, 12)
    assert.match(createdAt, TIMESTAMP)
    const expiresAt = '2099-01-01T00:00:00.000Z'
    created.assertBody({
      success: true,
      data: { id, name: 'Server', prefix, key, createdAt, expiresAt },
    })

    const list = await admin.get(path)
    list.assertStatus(200)
    list.assertBody({
      success: true,
      data: [{ id, name: 'Server', prefix, createdAt, lastUsedAt: null, expiresAt }],
    })

    const server = serverWith(client, key)
    const before = await server.get(`/notifications/types?appCode=${application.code}`)
    before.assertStatus(200)
    const revoked = await admin.delete(`${path}/${id}`)
    revoked.assertStatus(204)
    const after = await server.get(`/notifications/types?appCode=${application.code}`)
    after.assertProblem(401, 'UNAUTHENTICATED')
    const again = await admin.delete(`${path}/${id}`)
    again.assertProblem(404, 'KEY_NOT_FOUND')
  })

  test('their expiry is optional and must be in the future', async ({ client, assert }) => {
    const { code } = await anApplication()
    const path = `/api/applications/${code}/keys`
    const without = await superAdmin(client).post(path, { name: 'Server', expiresAt: null })
    assert.isNull(without.body().data.expiresAt)
    for (const body of [
      { name: 'Server', expiresAt: '2020-01-01T00:00:00Z' },
      { name: 'Server', expiresAt: 'tomorrow' },
      { name: 'Server', expiresAt: 1 },
      { name: 'A\nB' },
      { name: '' },
      {},
    ]) {
      const refused = await superAdmin(client).post(path, body)
      refused.assertProblem(400, 'VALIDATION_ERROR')
    }
  })

  test('an expired key is refused from that moment on', async ({ client }) => {
    const application = await anApplication()
    const { id, text } = await aKeyOf(application, DateTime.utc().plus({ hours: 1 }))
    const server = serverWith(client, text)
    const path = `/notifications/types?appCode=${application.code}`
    const valid = await server.get(path)
    valid.assertStatus(200)
    const key = await ApplicationKey.findOrFail(id)
    await key.merge({ expiresAt: DateTime.utc().minus({ milliseconds: 1 }) }).save()
    const expired = await server.get(path)
    expired.assertProblem(401, 'UNAUTHENTICATED')
  })

  test('a revoked key is refused immediately in every process, and the log shows who revoked it', async ({
    client,
    cleanup,
    assert,
  }) => {
    const application = await anApplication()
    const port = String(await freePort())
    const service = await startProductionService({ ...sameDatabase(), INTERNAL_PORT: port })
    cleanup(async () => {
      await service.stop()
    })
    const admin = superAdmin(client)
    const keys = `/api/applications/${application.code}/keys`
    const created = await admin.post(`${service.url}${keys}`, { name: 'Server' })
    const { id, key, prefix } = created.body().data
    const path = `/notifications/types?appCode=${application.code}`
    const server = serverWith(client, key, `http://127.0.0.1:${port}`)
    const valid = await server.get(path)
    valid.assertStatus(200)
    const publicly = await serverWith(client, key, service.url).get(path)
    publicly.assertProblem(404, 'NOT_FOUND')
    const revoked = await admin.delete(`${keys}/${id}`)
    revoked.assertStatus(204)
    const refused = await server.get(path)
    refused.assertProblem(401, 'UNAUTHENTICATED')

    await admin.delete(`${service.url}${keys}/${(await aKeyOf(application)).id}`)
    const lineWith = (text: string) =>
      eventually(`${text} is logged`, () => {
        const line = service
          .output()
          .split('\n')
          .find((one) => one.includes(text))
        return line === undefined ? undefined : JSON.parse(line)
      })
    const facts = { event: 'security', actor: SUPER_ADMIN, application: application.code }
    const event = await lineWith('key_created')
    assert.containSubset(event, { ...facts, keyId: id, prefix })
    assert.equal(event.name, 'concierge', 'the name of a key is not the name of the service')
    assert.containSubset(await lineWith('key_revoked'), facts)
    const caller = `${prefix} of ${application.code}`
    assert.containSubset(await lineWith(`"caller":"${caller}"`), { status: 200 })
    assert.notInclude(service.output(), key)
  })

  test('are deleted with their application', async ({ client, assert }) => {
    const application = await anApplication()
    const { id, text } = await aKeyOf(application)
    const deleted = await superAdmin(client).delete(`/api/applications/${application.code}`)
    deleted.assertStatus(204)
    assert.isNull(await ApplicationKey.find(id))
    await anApplication({ code: application.code })
    const refused = await serverWith(client, text).post(
      '/notifications',
      aMessage(application.code)
    )
    refused.assertProblem(401, 'UNAUTHENTICATED')
  })

  test('are stored only as a hash', async ({ client, assert }) => {
    const application = await anApplication()
    const path = `/api/applications/${application.code}/keys`
    const created = await superAdmin(client).post(path, { name: 'Server' })
    const { key } = created.body().data
    await serverWith(client, key).get(`/notifications/types?appCode=${application.code}`)
    const dump = await dumpDatabase()
    assert.include(dump, keyDigest(key))
    assert.notInclude(dump, key)
    assert.notInclude(dump, key.slice(4, 47))
  })

  test('an application has at most 20, even with concurrent requests', async ({
    client,
    assert,
  }) => {
    const { code } = await anApplication()
    const path = `/api/applications/${code}/keys`
    const admin = superAdmin(client)
    for (let count = 0; count < 17; count++) await aKeyOf({ code })
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => admin.post(path, { name: 'Server' }))
    )
    const refused = responses.filter((response) => response.status() !== 201)
    assert.lengthOf(refused, 5)
    for (const response of refused) response.assertProblem(409, 'TOO_MANY_KEYS', { limit: 20 })
    const list = await admin.get(path)
    assert.lengthOf(list.body().data, 20)
  })

  test('share the limits of one caller', async ({ client, assert }) => {
    const [application, other] = [await anApplication(), await anApplication()]
    const release = takeShareOf(`key:application ${application.id}`)
    try {
      const send = async ({ code }: { code: string }) => {
        const { text } = await aKeyOf({ code })
        return serverWith(client, text).post('/notifications', aMessage(code))
      }
      ;(await send(application)).assertProblem(429, 'RATE_LIMITED')
      ;(await send(application)).assertProblem(429, 'RATE_LIMITED')
      assert.equal((await send(other)).status(), 200)
    } finally {
      release()
    }
  })

  test('cannot be managed by viewers, or by administrators of another application', async ({
    client,
  }) => {
    const [application, other] = [await anApplication(), await anApplication()]
    const { id } = await aKeyOf(application)
    const stranger = signedIn(client, await anAdministratorOf(other))
    const path = `/api/applications/${application.code}/keys`
    for (const response of [
      await stranger.get(path),
      await stranger.post(path, { name: 'Mine' }),
      await stranger.delete(`${path}/${id}`),
    ]) {
      response.assertProblem(403, 'FORBIDDEN')
    }
    const crosswise = await stranger.delete(`/api/applications/${other.code}/keys/${id}`)
    crosswise.assertProblem(404, 'KEY_NOT_FOUND')
  })

  test('text that resembles a key is refused: {0}')
    .with([
      ['the prefix alone', (key: string) => key.slice(0, 12)],
      [
        'another letter',
        (key: string) => `${key.slice(0, 20)}${key[20] === 'a' ? 'b' : 'a'}${key.slice(21)}`,
      ],
      ['another case', (key: string) => key.toUpperCase()],
      ['its hash', (key: string) => keyDigest(key)],
      ['something behind it', (key: string) => `${key}a`],
      ['two of them', (key: string) => `${key},${key}`],
      ['a pattern', () => `cgk_${'%'.repeat(49)}`],
    ] as [string, (key: string) => string][])
    .run(async ({ client }, [, mutate]) => {
      const application = await anApplication()
      const { text } = await aKeyOf(application)
      const response = await serverWith(client, mutate(text)).post(
        '/notifications',
        aMessage(application.code)
      )
      response.assertProblem(401, 'UNAUTHENTICATED')
    })

  test('their last use is recorded to the minute', async ({ client, assert }) => {
    const application = await anApplication()
    const { id, text } = await aKeyOf(application)
    const server = serverWith(client, text)
    const path = `/notifications/types?appCode=${application.code}`
    const used = async () => (await ApplicationKey.findOrFail(id)).lastUsedAt
    await Promise.all([1, 2, 3].map(() => server.get(path)))
    const first = await eventually('the use is noted', async () => (await used()) ?? undefined)
    await server.get(path)
    assert.equal((await used())!.toMillis(), first.toMillis())

    const key = await ApplicationKey.findOrFail(id)
    await key.merge({ lastUsedAt: DateTime.utc().minus({ seconds: 61 }) }).save()
    await server.get(path)
    await eventually('it is noted again', async () => (await used())! >= first)
    const list = await superAdmin(client).get(`/api/applications/${application.code}/keys`)
    assert.match(list.body().data[0].lastUsedAt, TIMESTAMP)
  })
})

test.group('The access of an application key', () => {
  test('covers its own notifications, and no others', async ({ client, assert }) => {
    const [mine, other] = [await anApplication(), await anApplication()]
    const server = serverWith(client, (await aKeyOf(mine)).text)
    const own = aMessage(mine.code)
    const sent = await server.post('/notifications', own)
    assert.equal(sent.body().data.status, 'sent')
    for (const appCode of [other.code, 'auth', 'no-such-application']) {
      const foreign = aMessage(appCode)
      const refused = await server.post('/notifications', foreign)
      refused.assertProblem(403, 'KEY_NOT_FOR_APPLICATION')
      assert.lengthOf(smtp.mailsTo(foreign.recipientEmail), 0)
      assert.lengthOf(await notificationsOf(foreign.recipientEmail), 0)
    }
  })

  test('in a bulk request each item of another application fails on its own', async ({
    client,
    assert,
  }) => {
    const [mine, other] = [await anApplication(), await anApplication()]
    const server = serverWith(client, (await aKeyOf(mine)).text)
    const notifications = [
      aMessage(mine.code),
      aMessage(other.code),
      aMessage('no-such-application'),
      aMessage(mine.code),
    ]
    const response = await server.post('/notifications/bulk', { notifications })
    response.assertStatus(200)
    const { data } = response.body()
    assert.deepEqual(
      data.map((item: { status: string }) => item.status),
      ['sent', 'failed', 'failed', 'sent']
    )
    for (const item of [data[1], data[2]]) {
      assert.containSubset(item, { id: null, code: 'KEY_NOT_FOR_APPLICATION', details: {} })
      assert.match(item.statusReason, /^KEY_NOT_FOR_APPLICATION: /)
    }
    assert.lengthOf(smtp.mailsTo(notifications[1].recipientEmail), 0)
  })

  test('covers what its application sent to a user', async ({ client, assert }) => {
    const [mine, other] = [await anApplication(), await anApplication()]
    const email = uniqueEmail()
    const platform = serverWith(client, INTERNAL_KEY)
    await platform.post('/notifications', aMessage(mine.code, email))
    await platform.post('/notifications', aMessage(other.code, email))
    const codes = async (key: string) => {
      const log = await serverWith(client, key).get(`/notifications/log/${email}`)
      log.assertStatus(200)
      return log.body().data.map((entry: { appCode: string }) => entry.appCode)
    }
    assert.deepEqual(await codes((await aKeyOf(mine)).text), [mine.code])
    assert.sameMembers(await codes(INTERNAL_KEY), [mine.code, other.code])
  })

  test('a template of another application is like one that does not exist', async ({
    client,
    assert,
  }) => {
    const [mine, other] = [await anApplication(), await anApplication()]
    const template = await aTemplate(other, await aType(other))
    await aVersion(template, 'en')
    const server = serverWith(client, (await aKeyOf(mine)).text)
    const texts = { subjectTemplate: 'Mine', bodyTemplate: '<p>Mine</p>' }
    const responsesFor = async (id: number) => {
      const responses = [
        await server.get(`/notifications/templates/${id}/locales`),
        await server.put(`/notifications/templates/${id}`, { name: 'Mine' }),
        await server.put(`/notifications/templates/${id}/locales/en`, texts),
        await server.delete(`/notifications/templates/${id}/locales/en`),
        await server.delete(`/notifications/templates/${id}`),
      ]
      for (const response of responses) response.assertProblem(403, 'KEY_NOT_FOR_APPLICATION')
      return responses.map((response) => ({ ...response.body(), requestId: null }))
    }
    assert.deepEqual(await responsesFor(template.id), await responsesFor(2_000_000_000))
    await template.refresh()
    assert.equal(template.name, 'Main')
  })

  test('its own templates, from creation to deletion', async ({ client }) => {
    const application = await anApplication()
    const type = await aType(application)
    const server = serverWith(client, (await aKeyOf(application)).text)
    const templates = `/notifications/types/${application.code}/${type.code}/templates`
    const created = await server.post(templates, { key: 'main', name: 'Main' })
    created.assertStatus(201)
    const path = `/notifications/templates/${created.body().data.id}`
    const texts = { subjectTemplate: 'Hello', bodyTemplate: '<p>Hello</p>' }
    for (const response of [
      await server.put(path, { name: 'Other' }),
      await server.put(`${path}/locales/en`, texts),
      await server.get(`${path}/locales`),
      await server.get(templates),
      await server.get(`/notifications/templates/${application.code}`),
      await server.get(`/notifications/types?appCode=${application.code}`),
      await server.get(`/notifications/log/app/${application.code}`),
    ]) {
      response.assertStatus(200)
    }
    const gone = await server.delete(path)
    gone.assertStatus(204)
  })

  test('the existence of other applications is not revealed', async ({ client }) => {
    const [mine, other] = [await anApplication(), await anApplication()]
    const type = await aType(other)
    const server = serverWith(client, (await aKeyOf(mine)).text)
    for (const code of [
      other.code,
      `%${other.code.charCodeAt(0).toString(16)}${other.code.slice(1)}`,
      'no-such-application',
    ]) {
      for (const response of [
        await server.get(`/notifications/types?appCode=${code}`),
        await server.get(`/notifications/templates/${code}`),
        await server.get(`/notifications/types/${code}/${type.code}/templates`),
        await server.post(`/notifications/types/${code}/${type.code}/templates`, {
          key: 'k',
          name: 'N',
        }),
        await server.get(`/notifications/log/app/${code}`),
      ]) {
        response.assertProblem(403, 'KEY_NOT_FOR_APPLICATION')
      }
    }
  })

  test('events of its own application, but not the global data of a user', async ({ client }) => {
    const [mine, other] = [await anApplication(), await anApplication()]
    const server = serverWith(client, (await aKeyOf(mine)).text)
    const event = { email: uniqueEmail(), event: 'login' }
    const own = await server.post('/auth/application-events', { ...event, appCode: mine.code })
    own.assertStatus(200)
    const email = uniqueEmail()
    for (const response of [
      await server.post('/auth/application-events', { ...event, appCode: other.code }),
      await server.put('/auth/profile-sync', { email, firstName: 'Eve' }),
      await server.put('/auth/registration-locale', { email, orgId: 'organisation', locale: 'cs' }),
    ]) {
      response.assertProblem(403, 'KEY_NOT_FOR_APPLICATION')
    }
  })

  test('query parameters do not replace the body', async ({ client }) => {
    const [mine, other] = [await anApplication(), await anApplication()]
    const server = serverWith(client, (await aKeyOf(mine)).text)
    const refused = await server.post(`/notifications?appCode=${mine.code}`, aMessage(other.code))
    refused.assertProblem(403, 'KEY_NOT_FOR_APPLICATION')
  })
})

test.group('Idempotency keys of applications', () => {
  const withKey = (key: string) => ({ 'idempotency-key': key })

  test('of two applications do not collide, whoever sends', async ({ client, assert }) => {
    const [one, two] = [await anApplication(), await anApplication()]
    const key = randomUUID()
    const platform = serverWith(client, INTERNAL_KEY)
    const servers = [
      [platform, one],
      [serverWith(client, (await aKeyOf(two)).text), two],
    ] as const
    for (const [server, { code }] of servers) {
      const request = aMessage(code)
      const first = await server.post('/notifications', request, withKey(key))
      first.assertStatus(200)
      const second = await server.post('/notifications', request, withKey(key))
      assert.deepEqual(second.body(), first.body())
      assert.lengthOf(smtp.mailsTo(request.recipientEmail), 1)
    }
    const three = aMessage((await anApplication()).code)
    const third = await platform.post('/notifications', three, withKey(key))
    assert.equal(third.body().data.status, 'sent')
    const other = await platform.post('/notifications', aMessage(one.code), withKey(key))
    other.assertProblem(409, 'IDEMPOTENCY_KEY_REUSED')
  })

  test('of one application are the same in single and bulk requests', async ({ client }) => {
    const application = await anApplication()
    const key = randomUUID()
    const request = aMessage(application.code)
    const server = serverWith(client, (await aKeyOf(application)).text)
    await serverWith(client, INTERNAL_KEY).post('/notifications', request, withKey(key))
    const bulk = await server.post(
      '/notifications/bulk',
      { notifications: [request] },
      withKey(key)
    )
    bulk.assertProblem(409, 'IDEMPOTENCY_KEY_REUSED')
  })

  test('cannot be taken by the key of another application', async ({ client, assert }) => {
    const [mine, victim] = [await anApplication(), await anApplication()]
    const key = randomUUID()
    const request = aMessage(victim.code)
    const thief = serverWith(client, (await aKeyOf(mine)).text)
    const notifications = [request]
    await thief.post('/notifications', request, withKey(key))
    await thief.post('/notifications/bulk', { notifications }, withKey(key))
    const genuine = await serverWith(client, INTERNAL_KEY).post(
      '/notifications',
      request,
      withKey(key)
    )
    assert.equal(genuine.body().data.status, 'sent')
    const replayed = await thief.post('/notifications', request, withKey(key))
    replayed.assertProblem(403, 'KEY_NOT_FOR_APPLICATION')
  })
})
