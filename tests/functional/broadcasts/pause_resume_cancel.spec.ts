import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import { DateTime } from 'luxon'
import AuditEntry from '#app/audit/models/audit_entry'
import Broadcast from '#app/broadcasts/models/broadcast'
import Notification from '#app/notifications/models/notification'
import {
  aBroadcast,
  insertPeople,
  pathOf,
  waitForBroadcastStatus,
  uniqueEmails,
  startBroadcastWorker,
} from '#tests/helpers/broadcasts'
import { eventually } from '#tests/helpers/eventually'
import { panelPerson } from '#tests/helpers/panel_people'
import { anApplication, signedIn, superAdmin } from '#tests/helpers/people'
import { smtp } from '#tests/world/prepare'

type Operation = 'pause' | 'resume' | 'cancel'

function operationOn(client: ApiClient, application: Awaited<ReturnType<typeof anApplication>>) {
  return async (id: number, operation: Operation) => {
    const response = await superAdmin(client).post(pathOf(application, `${id}/${operation}`))
    response.assertStatus(200)
    return response.body().data
  }
}

const mailedOf = (emails: string[]) => emails.filter((email) => smtp.mailsTo(email).length > 0)

test.group('Pausing, resuming and cancelling a broadcast', () => {
  test('stops it within a second and, once resumed, reaches the others once', async ({
    assert,
    client,
    cleanup,
  }) => {
    const application = await anApplication()
    const apply = operationOn(client, application)
    const emails = uniqueEmails(60)
    const { id } = await aBroadcast(application, {
      audience: { kind: 'emails', emails },
      ratePerSecond: 20,
    })
    startBroadcastWorker(cleanup)
    await eventually('the first have it', () => mailedOf(emails).length > 3)
    assert.equal((await apply(id, 'pause')).status, 'paused')
    const [first, second] = [await countAfter(1_000, emails), await countAfter(1_500, emails)]
    assert.equal(second, first)
    assert.isBelow(first, 60)
    const recorded = await Notification.query().whereIn('email', emails)
    assert.lengthOf(recorded, first, 'nobody sees a message that was not sent')
    assert.equal((await apply(id, 'pause')).status, 'paused')

    assert.equal((await apply(id, 'resume')).status, 'running')
    assert.equal((await apply(id, 'resume')).status, 'running')
    assert.include(await waitForBroadcastStatus(id, 'completed').then(counts), {
      total: 60,
      sent: 60,
    })
    assert.isTrue(emails.every((email) => smtp.mailsTo(email).length === 1))
  })

  test('sends nothing more after a cancellation, which is final', async ({
    assert,
    client,
    cleanup,
  }) => {
    const application = await anApplication()
    const apply = operationOn(client, application)
    const emails = uniqueEmails(100)
    const audience = { kind: 'emails' as const, emails }
    const { id } = await aBroadcast(application, { audience, ratePerSecond: 20 })
    startBroadcastWorker(cleanup)
    await eventually('the first have it', () => mailedOf(emails).length > 3)
    const { status, finishedAt } = await apply(id, 'cancel')
    assert.equal(status, 'cancelled')
    assert.isNotNull(finishedAt)
    const [first, second] = [await countAfter(1_000, emails), await countAfter(1_500, emails)]
    assert.equal(second, first)
    assert.equal((await apply(id, 'cancel')).status, 'cancelled')
    assert.include(counts(await Broadcast.findOrFail(id)), { total: 100, sent: first })
    for (const operation of ['pause', 'resume']) {
      const response = await superAdmin(client).post(pathOf(application, `${id}/${operation}`))
      response.assertProblem(409, 'BROADCAST_ENDED')
      assert.deepEqual(response.body().details, { status: 'cancelled' })
    }
  })

  test('works before its scheduled time', async ({ assert, client, cleanup }) => {
    const application = await anApplication()
    const apply = operationOn(client, application)
    const { id } = await aBroadcast(application, { scheduledAt: '2099-01-01T00:00:00Z' })
    startBroadcastWorker(cleanup)
    assert.equal((await apply(id, 'pause')).status, 'paused')
    assert.equal((await apply(id, 'resume')).status, 'scheduled')
    assert.equal((await apply(id, 'cancel')).status, 'cancelled')
  })

  test('leaves one entry in the audit trail for requests that arrive together', async ({
    assert,
    client,
  }) => {
    const application = await anApplication()
    const apply = operationOn(client, application)
    const { id } = await aBroadcast(application, { scheduledAt: '2099-01-01T00:00:00Z' })
    for (const operation of ['pause', 'resume', 'cancel'] as const) {
      await Promise.all(Array.from({ length: 6 }, () => apply(id, operation)))
    }
    const entries = await AuditEntry.query()
      .where({ application: application.code })
      .whereLike('action', 'broadcast.%')
      .orderBy('id')
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['created', 'paused', 'resumed', 'cancelled'].map((change) => `broadcast.${change}`)
    )
  })

  test('lets only global panel admins resume a broadcast to everyone', async ({
    assert,
    client,
  }) => {
    const application = await anApplication()
    const apply = operationOn(client, application)
    const { id } = await aBroadcast(application, {
      audience: { kind: 'all' },
      scheduledAt: '2099-01-01T00:00:00Z',
    })
    const editor = signedIn(client, await panelPerson(client, { [application.code]: 'edit' }))
    const paused = await editor.post(pathOf(application, `${id}/pause`))
    paused.assertStatus(200)
    const refused = await editor.post(pathOf(application, `${id}/resume`))
    refused.assertProblem(403, 'FORBIDDEN', { needs: { allApplications: true, level: 'edit' } })
    assert.equal((await Broadcast.findOrFail(id)).status, 'paused')
    assert.equal((await apply(id, 'resume')).status, 'scheduled')
  })

  test('reaches outside recipients after a resumption only if whoever resumes it may', async ({
    assert,
    client,
  }) => {
    const application = await anApplication()
    const apply = operationOn(client, application)
    const broadcast = await aBroadcast(application, { scheduledAt: '2099-01-01T00:00:00Z' })
    const { id } = await broadcast.merge({ outsideRecipients: true }).save()
    const reaches = async () => (await Broadcast.findOrFail(id)).outsideRecipients
    await apply(id, 'pause')
    await apply(id, 'resume')
    assert.isTrue(await reaches())
    await apply(id, 'pause')
    const editor = signedIn(client, await panelPerson(client, { [application.code]: 'edit' }))
    const resumed = await editor.post(pathOf(application, `${id}/resume`))
    resumed.assertStatus(200)
    assert.isFalse(await reaches())
    const { stateBefore, stateAfter } = await AuditEntry.query()
      .where({ application: application.code, action: 'broadcast.resumed' })
      .orderBy('id', 'desc')
      .firstOrFail()
    assert.deepEqual(
      [stateBefore, stateAfter].map((state) => JSON.parse(state!)),
      [
        { status: 'paused', outsideRecipients: true },
        { status: 'scheduled', outsideRecipients: false },
      ]
    )
  })

  test('starts a resumed broadcast whose scheduled time has passed', async ({
    assert,
    client,
    cleanup,
  }) => {
    const application = await anApplication()
    const apply = operationOn(client, application)
    const broadcast = await aBroadcast(application, { scheduledAt: '2099-01-01T00:00:00Z' })
    const { id } = broadcast
    assert.equal((await apply(id, 'pause')).status, 'paused')
    await broadcast.merge({ scheduledAt: DateTime.utc() }).save()
    startBroadcastWorker(cleanup)
    assert.equal((await apply(id, 'resume')).status, 'running')
    await waitForBroadcastStatus(id, 'completed')
  })

  test('skips nobody when paused during expansion', async ({ assert, client, cleanup }) => {
    const application = await anApplication()
    const apply = operationOn(client, application)
    await insertPeople(application, uniqueEmails(1_200))
    const { id } = await aBroadcast(application, {
      audience: { kind: 'application' },
      ratePerSecond: 1,
    })
    await apply(id, 'pause')
    startBroadcastWorker(cleanup)
    await apply(id, 'resume')
    await eventually('the audience is complete', async () => {
      const { expanded, total } = await Broadcast.findOrFail(id)
      return expanded && total === 1_200
    })
    await apply(id, 'cancel')
    assert.isBelow((await Broadcast.findOrFail(id)).processed, 1_200)
  })
})

const counts = ({ total, sent }: Broadcast) => ({ total, sent })

/** The number of recipients with a mail after a pause. */
async function countAfter(ms: number, emails: string[]) {
  const until = performance.now() + ms
  await eventually(`${ms} ms are over`, () => performance.now() > until)
  return mailedOf(emails).length
}
