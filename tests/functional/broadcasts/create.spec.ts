import { test } from '@japa/runner'
import Broadcast from '#app/broadcasts/models/broadcast'
import BroadcastRecipient from '#app/broadcasts/models/broadcast_recipient'
import { PANEL_ADMIN_ROLE } from '#app/applications/values/panel'
import Role from '#app/permissions/models/role'
import { hasRole } from '#tests/access/callers'
import { TEXT, aBroadcast, insertPeople, pathOf, uniqueEmails } from '#tests/helpers/broadcasts'
import { aTemplate, aType } from '#tests/helpers/deliveries'
import { TIMESTAMP } from '#tests/helpers/management'
import {
  anAdministratorOf,
  anApplication,
  signedIn,
  superAdmin,
  uniqueEmail,
} from '#tests/helpers/people'

const LATER = '2099-01-01T00:00:00.000Z'
const toList = (emails = [uniqueEmail()]) => ({ kind: 'emails', emails })
const text = { type: 'generic', data: TEXT, scheduledAt: LATER }

test.group('Creating a broadcast', () => {
  test('is refused while the application has too many that have not ended', async ({ client }) => {
    const application = await anApplication()
    const one = await aBroadcast(application, { scheduledAt: LATER })
    const { applicationId, appCode, type, data, audience, status, scheduledAt } = one
    const copy = { applicationId, appCode, type, data, audience, status, scheduledAt }
    await Broadcast.createMany(Array.from({ length: 999 }, () => copy))
    const create = () =>
      superAdmin(client).post(pathOf(application), { ...text, audience: toList() })
    const refused = await create()
    refused.assertProblem(409, 'TOO_MANY_BROADCASTS', { limit: 1_000 })
    await Broadcast.query().where({ applicationId }).delete()
    const accepted = await create()
    accepted.assertStatus(202)
  })

  test('returns 202 with its state, which can be read again', async ({ assert, client }) => {
    const application = await anApplication()
    const email = await anAdministratorOf(application)
    const admin = signedIn(client, email)
    const emails = uniqueEmails(3)
    const response = await admin.post(pathOf(application), {
      ...text,
      audience: toList([...emails, ` ${emails[0].toUpperCase()} `]),
      ratePerSecond: 5,
    })
    response.assertStatus(202)
    const { success, data } = response.body()
    assert.isTrue(success)
    assert.match(data.createdAt, TIMESTAMP)
    const { id } = data
    assert.deepEqual(data, {
      id,
      status: 'scheduled',
      statusReason: null,
      total: 3,
      processed: 0,
      sent: 0,
      failed: 0,
      skipped: 0,
      ratePerSecond: 5,
      createdAt: data.createdAt,
      scheduledAt: LATER,
      startedAt: null,
      finishedAt: null,
      appCode: application.code,
      type: 'generic',
      template: null,
      locale: null,
      audience: { kind: 'emails' },
      createdBy: email,
      revision: 1,
    })
    const shown = await admin.get(pathOf(application, id))
    shown.assertBody({ success: true, data })
    const recipients = await BroadcastRecipient.query().where('broadcastId', id).orderBy('id')
    assert.deepEqual(
      recipients.map((recipient) => recipient.email),
      emails
    )
  })

  test('lists the broadcasts of the application in pages, latest first', async ({
    assert,
    client,
  }) => {
    const [application, other] = [await anApplication(), await anApplication()]
    const admin = superAdmin(client)
    const ids: number[] = []
    for (const owner of [application, application, other, application]) {
      const response = await admin.post(pathOf(owner), { ...text, audience: toList() })
      if (owner === application) ids.unshift(response.body().data.id)
    }
    const idsAt = async (path: string) => {
      const response = await admin.get(path)
      const next = /<([^>]+)>/.exec(response.header('link') ?? '')?.[1]
      return { ids: response.body().data.map(({ id }: { id: number }) => id), next }
    }
    const first = await idsAt(`${pathOf(application)}?limit=2`)
    assert.deepEqual(first.ids, ids.slice(0, 2))
    const second = await idsAt(first.next!)
    assert.deepEqual(second, { ids: ids.slice(2), next: undefined })
  })

  test('uses the type’s only template and keeps it', async ({ assert, client }) => {
    const application = await anApplication()
    const type = await aType(application)
    const { key } = await aTemplate(type, { en: { subject: 'News', body: 'News' } })
    const body = { type: type.code, audience: toList(), scheduledAt: LATER }
    const response = await superAdmin(client).post(pathOf(application), body)
    response.assertStatus(202)
    assert.equal(response.body().data.template, key)
  })

  test('refuses undeliverable broadcasts and stores nothing', async ({ assert, client }) => {
    const application = await anApplication()
    const type = await aType(application)
    const [one] = [
      await aTemplate(type, {}, { variables: [{ key: 'what', required: true }] }),
      await aTemplate(type, {}),
    ]
    const refused: [string, object, object?][] = [
      ['UNKNOWN_NOTIFICATION_TYPE', { type: 'none-such' }],
      ['TEMPLATE_REQUIRED', { type: type.code }],
      ['UNKNOWN_TEMPLATE', { type: type.code, template: 'none-such' }],
      ['MISSING_TEMPLATE_VARIABLES', { type: type.code, template: one.key }, { missing: ['what'] }],
      ['MISSING_TEMPLATE_VARIABLES', { data: { subject: 'News' } }, { missing: ['body'] }],
      ['UNKNOWN_ROLE', { audience: { kind: 'role', roleCode: 'none-such' } }, { available: [] }],
      ['EMPTY_AUDIENCE', { audience: { kind: 'application' }, scheduledAt: undefined }],
    ]
    for (const [code, fields, details] of refused) {
      const body = { ...text, audience: toList(), ...fields }
      const response = await superAdmin(client).post(pathOf(application), body)
      response.assertProblem(400, code)
      if (details) assert.deepEqual(response.body().details, details)
    }
    assert.lengthOf(await Broadcast.query().where('applicationId', application.id), 0)
  })

  test('refuses malformed fields by name', async ({ assert, client }) => {
    const application = await anApplication()
    const refused: [string, object][] = [
      ['type', { type: undefined }],
      ['audience', { audience: undefined }],
      ['audience.kind', { audience: {} }],
      ['audience.kind', { audience: { kind: 'everyone' } }],
      ['audience.emails', { audience: { kind: 'emails' } }],
      ['audience.emails', { audience: toList([]) }],
      ['audience.emails.1', { audience: toList([uniqueEmail(), 'nobody']) }],
      ['audience.roleCode', { audience: { kind: 'role' } }],
      ['ratePerSecond', { ratePerSecond: 0 }],
      ['ratePerSecond', { ratePerSecond: -1 }],
      ['ratePerSecond', { ratePerSecond: 1.5 }],
      ['ratePerSecond', { ratePerSecond: '5' }],
      ['ratePerSecond', { ratePerSecond: 1e9 }],
      ['scheduledAt', { scheduledAt: 'tomorrow' }],
      ['scheduledAt', { scheduledAt: '2020-01-01T00:00:00Z' }],
      ['locale', { locale: '*' }],
      ['data', { data: [] }],
      ['data', { data: { ...TEXT, more: 'x'.repeat(65_536) } }],
    ]
    for (const [field, fields] of refused) {
      const body = { ...text, audience: toList(), ...fields }
      const response = await superAdmin(client).post(pathOf(application), body)
      response.assertProblem(400, 'VALIDATION_ERROR')
      assert.equal(response.body().details.errors[0].field, field, JSON.stringify(fields))
    }
    assert.lengthOf(await Broadcast.query().where('applicationId', application.id), 0)
  })

  test('names all kinds of audience if the kind is unknown', async ({ assert, client }) => {
    const application = await anApplication()
    for (const kind of ['x', '', 'ALL']) {
      const body = { ...text, audience: { kind } }
      const response = await superAdmin(client).post(pathOf(application), body)
      response.assertProblem(400, 'VALIDATION_ERROR')
      assert.containSubset(response.body().details.errors[0], {
        message: 'audience.kind must be one of emails, application, role, all',
        meta: { choices: ['emails', 'application', 'role', 'all'] },
      })
    }
  })

  test('refuses a list larger than the request limit', async ({ client }) => {
    const application = await anApplication()
    const body = { ...text, audience: toList(uniqueEmails(30_000)) }
    const response = await superAdmin(client).post(pathOf(application), body)
    response.assertProblem(413, 'PAYLOAD_TOO_LARGE')
  })

  test('accepts as many addresses as fit into a request', async ({ assert, client }) => {
    const application = await anApplication()
    const body = { ...text, audience: toList(uniqueEmails(20_000)) }
    const response = await superAdmin(client).post(pathOf(application), body)
    response.assertStatus(202)
    assert.equal(response.body().data.total, 20_000)
  })

  test('for the whole platform requires a global panel admin', async ({ client }) => {
    const application = await anApplication()
    await insertPeople(application, uniqueEmails(1))
    const body = { ...text, audience: { kind: 'all' } }
    const admin = await anAdministratorOf(application)
    const refused = await signedIn(client, admin).post(pathOf(application), body)
    refused.assertProblem(403, 'FORBIDDEN', { needs: { allApplications: true, level: 'edit' } })
    const global = await hasRole(uniqueEmail(), PANEL_ADMIN_ROLE)
    const taken = await signedIn(client, global).post(pathOf(application), body)
    taken.assertStatus(202)
  })

  test('reveals no roles or broadcasts of another application', async ({ client }) => {
    const [application, other] = [await anApplication(), await anApplication()]
    await Role.create({ applicationId: other.id, code: 'editor' })
    const admin = signedIn(client, await anAdministratorOf(application))
    const audience = { kind: 'role', roleCode: 'editor' }
    const created = await admin.post(pathOf(application), { ...text, audience })
    created.assertProblem(400, 'UNKNOWN_ROLE')

    const foreign = await superAdmin(client).post(pathOf(other), { ...text, audience: toList() })
    const { id } = foreign.body().data
    for (const rest of ['', '/stream']) {
      const response = await admin.get(pathOf(application, `${id}${rest}`))
      response.assertProblem(404, 'BROADCAST_NOT_FOUND')
    }
    for (const operation of ['pause', 'resume', 'cancel']) {
      const response = await admin.post(pathOf(application, `${id}/${operation}`))
      response.assertProblem(404, 'BROADCAST_NOT_FOUND')
    }
  })
})
