import { test } from '@japa/runner'
import { DateTime } from 'luxon'
import { usesPostgres } from '#core/database/dialect'
import { changeBroadcast } from '#app/broadcasts/actions/change_broadcast'
import { BroadcastNotScheduled } from '#app/broadcasts/exceptions'
import { BroadcastExpansion } from '#app/broadcasts/background/broadcast_expansion'
import Broadcast from '#app/broadcasts/models/broadcast'
import BroadcastRecipient from '#app/broadcasts/models/broadcast_recipient'
import { TEXT, aBroadcast, anEndedBroadcast, pathOf } from '#tests/helpers/broadcasts'
import { eventually } from '#tests/helpers/eventually'
import { inPath } from '#tests/helpers/management'
import { panelPerson } from '#tests/helpers/panel_people'
import { anApplication, signedIn, superAdmin, uniqueEmail } from '#tests/helpers/people'
import { aTemplate, aType } from '#tests/helpers/templates'
import { hasWaitingTransaction } from '#tests/helpers/waiting_transactions'

const NEVER = '2099-01-01T00:00:00Z'
const operator = { email: null, mayReachEveryone: true, mayReachOutsiders: true }

async function aScheduledOne(fields: Parameters<typeof aBroadcast>[1] = {}) {
  const application = await anApplication()
  const broadcast = await aBroadcast(application, { scheduledAt: NEVER, ...fields })
  return { application, broadcast, path: pathOf(application, broadcast.id) }
}

const recipientsOf = async ({ id }: Broadcast) => {
  const rows = await BroadcastRecipient.findManyBy('broadcastId', id)
  return rows.map(({ email }) => email).toSorted()
}

test.group('Changing a scheduled broadcast', () => {
  test('changes only the fields that are sent', async ({ assert, client }) => {
    const { application, broadcast, path } = await aScheduledOne({ locale: 'cs', ratePerSecond: 5 })
    const admin = superAdmin(client)
    const later = await admin.put(path, { scheduledAt: '2098-01-01T00:00:00Z', locale: null })
    later.assertStatus(200)
    assert.containSubset(later.body().data, {
      revision: 2,
      locale: null,
      ratePerSecond: 5,
      type: 'generic',
      total: 1,
      scheduledAt: '2098-01-01T00:00:00.000Z',
      status: 'scheduled',
    })
    const read = await admin.get(path)
    assert.equal(read.header('etag'), later.header('etag'))
    const text = await admin.put(path, { data: { ...TEXT, subject: 'Other news' } })
    text.assertStatus(200)
    assert.notEqual(text.header('etag'), later.header('etag'), 'only the data differs')
    const stored = await Broadcast.findOrFail(broadcast.id)
    assert.deepEqual(stored.data, { ...TEXT, subject: 'Other news' })
    assert.deepEqual(await recipientsOf(broadcast), await recipientsOf(stored))
    const query = `action=broadcast.changed&application=${application.code}`
    const audit = await admin.get(`/api/admin/audit?${query}`)
    assert.deepEqual(
      audit.body().data.map(({ before, after }: Record<string, object>) => [before, after]),
      [
        [{ revision: 2 }, { revision: 3 }],
        [
          { revision: 1, locale: 'cs', scheduledAt: '2099-01-01T00:00:00.000Z' },
          { revision: 2, locale: null, scheduledAt: '2098-01-01T00:00:00.000Z' },
        ],
      ]
    )
  })

  test('replaces the audience as a whole', async ({ assert, client }) => {
    const former = [uniqueEmail(), uniqueEmail()]
    const { broadcast, path } = await aScheduledOne({
      audience: { kind: 'emails', emails: former },
    })
    const admin = superAdmin(client)
    const gone = await admin.delete(`/api/users/${inPath(former[0])}`)
    gone.assertStatus(204)
    const emails = [former[1], uniqueEmail()].toSorted()
    const list = await admin.put(path, { audience: { kind: 'emails', emails } })
    assert.containSubset(list.body().data, { total: 2, processed: 0, audience: { kind: 'emails' } })
    assert.deepEqual(await recipientsOf(broadcast), emails)
    const everyone = await admin.put(path, { audience: { kind: 'all' } })
    assert.containSubset(everyone.body().data, { total: 0, audience: { kind: 'all' } })
    assert.isEmpty(await recipientsOf(broadcast))
    assert.isFalse((await Broadcast.findOrFail(broadcast.id)).expanded)
  })

  test('chooses the template of another type', async ({ assert, client }) => {
    const { application, path } = await aScheduledOne()
    const type = await aType(application)
    await aTemplate(application, type, { key: 'only', variables: [{ key: 'x', required: true }] })
    const admin = superAdmin(client)
    const missing = await admin.put(path, { type: type.code })
    missing.assertProblem(400, 'MISSING_TEMPLATE_VARIABLES', { missing: ['x'] })
    const changed = await admin.put(path, { type: type.code, data: { x: 1 } })
    assert.containSubset(changed.body().data, { type: type.code, template: 'only' })
  })

  test('is refused for the reasons of a creation, whichever part changes', async ({ client }) => {
    const { application, path } = await aScheduledOne({ audience: { kind: 'all' } })
    const editor = signedIn(client, await panelPerson(client, { [application.code]: 'edit' }))
    const hijacked = await editor.put(path, { data: { ...TEXT, subject: 'Mine' } })
    hijacked.assertProblem(403, 'FORBIDDEN')
    const admin = superAdmin(client)
    const past = await admin.put(path, { scheduledAt: '2001-01-01T00:00:00Z' })
    past.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'scheduledAt' }] })
    const role = await admin.put(path, { audience: { kind: 'role', roleCode: 'none' } })
    role.assertProblem(400, 'UNKNOWN_ROLE')
    const kind = await admin.put(path, { audience: { kind: 'nobody' } })
    kind.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'audience.kind' }] })
  })

  test('reaches outside recipients only if the user who changes it may reach them', async ({
    assert,
    client,
  }) => {
    const { application, broadcast, path } = await aScheduledOne()
    const editor = signedIn(client, await panelPerson(client, { [application.code]: 'edit' }))
    const changed = await editor.put(path, { ratePerSecond: 7 })
    changed.assertStatus(200)
    assert.isFalse((await Broadcast.findOrFail(broadcast.id)).outsideRecipients)
  })

  test('is refused once it is not scheduled any more', async ({ assert, client }) => {
    const { application, broadcast, path } = await aScheduledOne()
    const admin = superAdmin(client)
    ;(await admin.post(`${path}/pause`)).assertStatus(200)
    const paused = await admin.put(path, { ratePerSecond: 1 })
    paused.assertProblem(409, 'BROADCAST_NOT_SCHEDULED', { status: 'paused' })
    ;(await admin.post(`${path}/resume`)).assertStatus(200)
    const resumed = await admin.put(path, { ratePerSecond: 1 })
    resumed.assertStatus(200)
    const ended = await anEndedBroadcast(application)
    const cancelled = await admin.put(pathOf(application, ended.id), { ratePerSecond: 1 })
    cancelled.assertProblem(409, 'BROADCAST_NOT_SCHEDULED', { status: 'cancelled' })
    const foreign = await admin.put(pathOf(await anApplication(), broadcast.id), {})
    foreign.assertProblem(404, 'BROADCAST_NOT_FOUND')
    assert.equal((await Broadcast.findOrFail(broadcast.id)).revision, 2)
  })

  /** `during` is called when the broadcast has been read, and again when it is locked. */
  async function changeDueOne(during: (call: number) => Promise<void>) {
    const { application, broadcast } = await aScheduledOne()
    await broadcast.merge({ scheduledAt: DateTime.utc().minus({ seconds: 1 }) }).save()
    const emails = [uniqueEmail()]
    const changes = { scheduledAt: NEVER, audience: { kind: 'emails' as const, emails } }
    let calls = 0
    const change = () =>
      changeBroadcast(application.code, broadcast.id, changes, operator, () => during(++calls))
    return { broadcast, emails, change }
  }

  const startDue = () => new BroadcastExpansion().work(new AbortController().signal)

  test('is refused if it starts while the change is checked', async ({ assert }) => {
    const { broadcast, emails, change } = await changeDueOne(async (call) => {
      if (call === 1) await startDue()
    })
    const refused = await change().catch((error: unknown) => error)
    assert.instanceOf(refused, BroadcastNotScheduled)
    const { status, revision } = await Broadcast.findOrFail(broadcast.id)
    assert.deepEqual([status, revision], ['running', 1])
    assert.notDeepEqual(await recipientsOf(broadcast), emails)
    await Broadcast.query().where('id', broadcast.id).update({ status: 'cancelled' })
  })

  test('prevents a start that waits for it', async ({ assert }) => {
    let start: Promise<unknown> = Promise.resolve()
    const { broadcast, emails, change } = await changeDueOne(async (call) => {
      if (call === 1) return
      start = startDue()
      // On SQLite, it waits for the connection.
      if (usesPostgres()) await eventually('the start waits', hasWaitingTransaction)
    })
    await change()
    await start
    const { status, revision } = await Broadcast.findOrFail(broadcast.id)
    assert.deepEqual([status, revision], ['scheduled', 2])
    assert.deepEqual(await recipientsOf(broadcast), emails)
  })

  test('counts every change of several editors', async ({ assert, client }) => {
    const { broadcast, path } = await aScheduledOne()
    const admin = superAdmin(client)
    const responses = await Promise.all(
      [1, 2].map((rate) => admin.put(path, { ratePerSecond: rate }))
    )
    for (const response of responses) response.assertStatus(200)
    assert.equal((await Broadcast.findOrFail(broadcast.id)).revision, 3)
  })
})
