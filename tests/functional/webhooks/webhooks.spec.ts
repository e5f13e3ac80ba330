import { test } from '@japa/runner'
import { DateTime } from 'luxon'
import AuditEntry from '#app/audit/models/audit_entry'
import Webhook from '#app/webhooks/models/webhook'
import webhooksConfig from '#config/webhooks'
import { TIMESTAMP } from '#tests/helpers/management'
import { anAdministratorOf, anApplication, signedIn, superAdmin } from '#tests/helpers/people'
import {
  aReceiver,
  aWebhook,
  attemptDue,
  eventsAt,
  makeDue,
  forgetOtherWebhooks,
  verified,
  webhookAdmin,
} from '#tests/helpers/webhooks'
import { issuer } from '#tests/world/prepare'

const url = 'https://receiver.example/events'
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/

test.group('Webhooks', (group) => {
  group.each.setup(forgetOtherWebhooks)

  test('show their secret once, and are changed and deleted', async ({ assert, client }) => {
    const application = await anApplication()
    const admin = webhookAdmin(client, await anAdministratorOf(application), application)
    const created = await admin.create({ url, events: ['notification.sent'] })
    created.assertStatus(201)
    const { secret, ...webhook } = created.body().data
    assert.match(secret, SECRET)
    for (const time of [webhook.createdAt, webhook.updatedAt]) assert.match(time, TIMESTAMP)
    assert.deepEqual(webhook, {
      id: webhook.id,
      url,
      events: ['notification.sent'],
      enabled: true,
      disabledAt: null,
      disabledReason: null,
      failingSince: null,
      lastSuccessAt: null,
      lastFailure: null,
      droppedEvents: 0,
      lastDroppedAt: null,
      previousSecretExpiresAt: null,
      createdAt: webhook.createdAt,
      updatedAt: webhook.updatedAt,
    })
    const stored = await Webhook.findOrFail(webhook.id)
    assert.notInclude(stored.secret, secret.slice(6))
    assert.deepEqual((await admin.list()).body().data, [webhook])
    assert.deepEqual((await admin.show(webhook.id)).body().data, webhook)

    const events = ['user.erased', 'access.changed']
    const updated = (await admin.update(webhook.id, { events, enabled: false })).body().data
    assert.containSubset(updated, { url, events, enabled: false })
    const target = { targetKind: 'webhook', targetId: String(webhook.id) }
    const trail = async () => {
      const entries = await AuditEntry.query().where(target).orderBy('id')
      assert.notMatch(JSON.stringify(entries), /whsec_|previousSecret"/)
      return entries.map(({ action, stateBefore, stateAfter }) => {
        return [action, JSON.parse(stateBefore ?? 'null'), JSON.parse(stateAfter ?? 'null')]
      })
    }
    const firstEntry = await AuditEntry.query().where(target).orderBy('id').firstOrFail()
    const version = JSON.parse(firstEntry.stateAfter!).url.version
    const shown = { origin: 'https://receiver.example', version }
    const [first, second] = [
      { url: shown, events: ['notification.sent'], enabled: true },
      { url: shown, events, enabled: false },
    ]
    const dryRun = await signedIn(client, await anAdministratorOf(application)).delete(
      `/api/applications/${application.code}/webhooks/${webhook.id}?dryRun=true`
    )
    const names = ['https://receiver.example']
    assert.deepEqual(dryRun.body().data.deletes, [{ kind: 'webhook', count: 1, names }])
    ;(await admin.remove(webhook.id)).assertStatus(204)
    ;(await admin.show(webhook.id)).assertProblem(404, 'WEBHOOK_NOT_FOUND')
    assert.deepEqual(await trail(), [
      ['webhook.created', null, first],
      [
        'webhook.updated',
        { events: first.events, enabled: true },
        { events: second.events, enabled: false },
      ],
      ['webhook.deleted', second, null],
    ])
  })

  test('keep their URLs, which may be credentials, out of the audit trail', async ({
    assert,
    client,
    cleanup,
  }) => {
    const receiver = await aReceiver(cleanup)
    const application = await anApplication()
    const admin = webhookAdmin(client, await anAdministratorOf(application), application)
    const urls = ['path-token', 'other-token'].map(
      (token) => `${receiver.url}/${token}?key=q-token`
    )
    const { id } = (await admin.create({ url: urls[0], events: ['user.erased'] })).body().data
    const { id: twin } = (await admin.create({ url: urls[0], events: ['user.erased'] })).body().data
    const path = `/api/applications/${application.code}/webhooks/${id}`
    ;(await admin.update(id, { url: urls[1] })).assertStatus(200)
    ;(await admin.update(id, { url: urls[0] })).assertStatus(200)
    const owner = superAdmin(client)
    ;(await owner.post(`${path}/rotate-secret`)).assertStatus(200)
    ;(await owner.post(`${path}/test`)).assertStatus(201)
    ;(await admin.remove(id)).assertStatus(204)
    ;(await owner.delete(`/api/applications/${application.code}`)).assertStatus(204)
    const query = `/api/admin/audit?application=${application.code}`
    const { data } = (await owner.get(query)).body()
    assert.include(JSON.stringify(data), receiver.url)
    assert.notInclude(JSON.stringify(data), '-token')
    const entries = data.filter(({ target }: any) => target.kind === 'webhook').toReversed()
    for (const { target } of entries) assert.equal(target.label, receiver.url)
    const [created, second, moved, movedBack] = entries
    assert.equal(created.after.url.origin, receiver.url)
    assert.deepEqual(moved.before.url, created.after.url)
    assert.notEqual(moved.after.url.version, moved.before.url.version)
    assert.deepEqual(movedBack.after.url, created.after.url)
    // Otherwise, a webhook of another application could test guesses.
    assert.equal(second.target.id, String(twin))
    assert.notEqual(second.after.url.version, created.after.url.version)
  })

  test('are changed only if they are as the administrator saw them', async ({ assert, client }) => {
    const application = await anApplication()
    const email = await anAdministratorOf(application)
    const admin = webhookAdmin(client, email, application)
    const created = await admin.create({ url, events: ['user.erased'] })
    const { id } = created.body().data
    const etag = created.header('etag')!
    assert.equal((await admin.show(id)).header('etag'), etag)
    // How deliveries go does not count.
    await Webhook.query().where({ id }).update({ failing_since: DateTime.utc().toISO() })
    assert.equal((await admin.show(id)).header('etag'), etag)
    const path = `/api/applications/${application.code}/webhooks/${id}`
    const token = await issuer.token(email)
    const change = (ifMatch: string) =>
      client
        .put(path)
        .header('authorization', `Bearer ${token}`)
        .header('if-match', ifMatch)
        .json({ enabled: false })
    ;(await change(etag)).assertStatus(200)
    const current = { url, events: ['user.erased'], enabled: false }
    ;(await change(etag)).assertProblem(412, 'STALE', { current })
    const removal = client.delete(path).header('authorization', `Bearer ${token}`)
    ;(await removal.header('if-match', etag)).assertProblem(412, 'STALE', { current })
  })

  test('accept public https URLs, and http only on localhost', async ({ client }) => {
    const application = await anApplication()
    const admin = webhookAdmin(client, await anAdministratorOf(application), application)
    const refused = [
      'http://receiver.example/',
      'https://user:password@receiver.example/',
      'https://10.0.0.1/',
      'https://127.0.0.1/',
      'https://localhost/',
      'https://localhost./',
      'https://[::1]/',
      'https://[fd00::1]/',
      'https://169.254.169.254/latest/meta-data',
      'http://127.0.0.1.nip.example/',
      'ftp://receiver.example/',
      'receiver.example',
      'https:receiver.example',
      'https:\\\\receiver.example',
      ' https://receiver.example/',
      'https://receiver.example/\n',
      'https://receiver\n.example/',
      `https://receiver.example/${'x'.repeat(2_048)}`,
    ]
    for (const each of refused) {
      const response = await admin.create({ url: each, events: ['user.erased'] })
      response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'url' }] })
    }
    const unknown = await admin.create({ url, events: ['user.created'] })
    unknown.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'events.0' }] })
    ;(await admin.create({ url, events: [] })).assertProblem(400, 'VALIDATION_ERROR')
    const accepted = await admin.create({ url: 'http://localhost:9/', events: ['user.erased'] })
    accepted.assertStatus(201)
  })

  test('are limited in number', async ({ client }) => {
    const application = await anApplication()
    const { id: applicationId } = application
    const fields = { applicationId, url, events: ['user.erased' as const], enabled: false }
    await Webhook.createMany(
      Array.from({ length: webhooksConfig.maxPerApplication }, () => {
        return { ...fields, secret: 'x', sinceRevision: 0, sinceSequence: 0 }
      })
    )
    const admin = webhookAdmin(client, await anAdministratorOf(application), application)
    const response = await admin.create({ url, events: ['user.erased'] })
    response.assertProblem(409, 'TOO_MANY_WEBHOOKS', { limit: webhooksConfig.maxPerApplication })
  })

  test('are signed by both secrets for a day after a rotation', async ({
    assert,
    client,
    cleanup,
  }) => {
    const application = await anApplication()
    const receiver = await aReceiver(cleanup)
    const { id, secret: former } = await aWebhook(cleanup, application, receiver.url)
    const admin = webhookAdmin(client, await anAdministratorOf(application), application)
    const rotated = await admin.rotate(id)
    rotated.assertStatus(200)
    const { secret, previousSecretExpiresAt } = rotated.body().data
    assert.match(secret, SECRET)
    const hours = DateTime.fromISO(previousSecretExpiresAt).diffNow('hours').hours
    assert.closeTo(hours, webhooksConfig.overlapHours, 0.1)

    await admin.test(id)
    await attemptDue(id)
    assert.deepEqual(eventsAt(receiver, former), eventsAt(receiver, secret))
    assert.lengthOf(String(receiver.requests[0].headers['webhook-signature']).split(' '), 2)

    const ended = DateTime.utc().minus({ seconds: 1 })
    await Webhook.query().where({ id }).update({ previous_secret_expires_at: ended.toISO() })
    await admin.test(id)
    await attemptDue(id)
    const [, last] = receiver.requests
    assert.throws(() => verified(last, former))
    assert.equal(verified(last, secret).type, 'webhook.test')
  })

  test('are signed by the last two secrets after two rotations', async ({
    assert,
    client,
    cleanup,
  }) => {
    const application = await anApplication()
    const receiver = await aReceiver(cleanup)
    const { id, secret: first } = await aWebhook(cleanup, application, receiver.url)
    const admin = webhookAdmin(client, await anAdministratorOf(application), application)
    const { secret: second } = (await admin.rotate(id)).body().data
    const { secret: third } = (await admin.rotate(id)).body().data
    await admin.test(id)
    await attemptDue(id)
    assert.deepEqual(eventsAt(receiver, second), eventsAt(receiver, third))
    assert.throws(() => eventsAt(receiver, first))
  })

  test('send nothing while their secret cannot be decrypted, until it is rotated', async ({
    assert,
    client,
    cleanup,
  }) => {
    const application = await anApplication()
    const receiver = await aReceiver(cleanup)
    const { id } = await aWebhook(cleanup, application, receiver.url)
    const admin = webhookAdmin(client, await anAdministratorOf(application), application)
    await Webhook.query().where({ id }).update({ secret: 'of-another-key' })
    await admin.test(id)
    await attemptDue(id)
    const failing = (await admin.show(id)).body().data
    assert.containSubset(failing, { lastFailure: { reason: 'secret', status: null } })
    assert.isEmpty(receiver.requests)

    const { secret } = (await admin.rotate(id)).body().data
    await makeDue(id)
    await attemptDue(id)
    assert.deepEqual(
      eventsAt(receiver, secret).map(({ type }) => type),
      ['webhook.test']
    )
  })
})
