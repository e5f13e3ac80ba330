import { once } from 'node:events'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import broadcastsConfig from '#config/broadcasts'
import { claimRecipients } from '#app/broadcasts/background/claim_recipients'
import { expandAudience } from '#app/broadcasts/background/expand_audience'
import Broadcast from '#app/broadcasts/models/broadcast'
import BroadcastRecipient from '#app/broadcasts/models/broadcast_recipient'
import Notification from '#app/notifications/models/notification'
import { startAce } from '#tests/helpers/ace'
import {
  aBroadcast,
  insertPeople,
  waitForBroadcastStatus,
  uniqueEmails,
  startBroadcastWorker,
} from '#tests/helpers/broadcasts'
import { eventually } from '#tests/helpers/eventually'
import { anApplication } from '#tests/helpers/people'
import { CountingSmtp } from '#tests/world/counting_smtp'

/** `benchmarks/broadcast` uses the full size: 5000 and 8. */
const RECIPIENTS = Number(process.env.CRASH_RECIPIENTS ?? 600)
const KILLS = Number(process.env.CRASH_KILLS ?? 3)
const LEASE_SECONDS = '4'

const startWorker = (server: CountingSmtp) =>
  startAce(['queue:work'], { SMTP_PORT: String(server.port), BROADCAST_LEASE: LEASE_SECONDS })

const countOf = (server: CountingSmtp) => server.times.length

test.group('Broadcast workers', () => {
  test('can be killed at any time: everyone is reached, with few duplicates', async ({
    assert,
    cleanup,
  }) => {
    const server = await new CountingSmtp().start()
    cleanup(() => server.stop())
    const application = await anApplication()
    const emails = uniqueEmails(RECIPIENTS)
    await insertPeople(application, emails)
    const { id } = await aBroadcast(application, { audience: { kind: 'application' } })
    const workers = [startWorker(server), startWorker(server)]
    cleanup(() => workers.forEach(({ child }) => child.kill('SIGKILL')))

    const moments = Array.from({ length: KILLS }, () => Math.random() * 0.9 * RECIPIENTS)
    for (const [kill, moment] of moments.sort((one, other) => one - other).entries()) {
      await eventually('the moment has come', () => countOf(server) >= moment, 120_000)
      const victim = workers[kill % 2].child
      victim.kill('SIGKILL')
      await once(victim, 'exit')
      workers[kill % 2] = startWorker(server)
    }
    const done = await waitForBroadcastStatus(id, 'completed', 240_000)

    const lost = emails.filter((email) => !server.messageIds.has(email)).length
    const repeats = countOf(server) - server.messageIds.size
    const differing = [...server.messageIds.values()].filter((ids) => new Set(ids).size > 1).length
    const items = await Notification.query().whereIn('email', emails).count('* as total')
    const inInbox = Number(items[0].$extras.total)
    const most = KILLS * broadcastsConfig.parallel
    process.stdout.write(
      `    ${RECIPIENTS} recipients, ${KILLS} kills: ${lost} lost, ${repeats} mails repeated (at most ${most}), ` +
        `${differing} of them under another Message-ID, ${inInbox - RECIPIENTS} inbox items repeated\n`
    )
    assert.deepEqual({ lost, differing, inInbox }, { lost: 0, differing: 0, inInbox: RECIPIENTS })
    assert.isAtMost(repeats, most)
    assert.equal(done.sent, RECIPIENTS)
    assert.equal(done.total, RECIPIENTS)
  }).timeout(400_000)

  test('share one rate limit and stop on request', async ({ assert, cleanup }) => {
    const server = await new CountingSmtp().start()
    cleanup(() => server.stop())
    const audience = { kind: 'emails' as const, emails: uniqueEmails(150) }
    const { id } = await aBroadcast(await anApplication(), { audience, ratePerSecond: 40 })
    const workers = [startWorker(server), startWorker(server)]
    cleanup(() => workers.forEach(({ child }) => child.kill('SIGKILL')))
    await waitForBroadcastStatus(id, 'completed', 60_000)
    const { times } = server
    assert.lengthOf(times, 150)
    const busiest = Math.max(
      ...times.map((from) => times.filter((at) => at >= from && at < from + 1_000).length)
    )
    // 40, a quarter of that at the start, and some that processes which are still cold send late.
    // With a limit for each, it would be twice as many.
    assert.isAtMost(busiest, 70, 'messages within one second')
    assert.isAtLeast(times.at(-1)! - times[0], 3_000)

    for (const { child } of workers) child.kill('SIGTERM')
    const ends = await Promise.all(workers.map(({ finished }) => finished))
    assert.deepEqual(
      ends.map(({ code }) => code),
      [0, 0]
    )
  }).timeout(120_000)
})

test.group('Recipients abandoned by a dead process', () => {
  /** The state after a process that claimed recipients this often has died. */
  async function abandonedRecipients(count: number, claims: number) {
    const audience = { kind: 'emails' as const, emails: uniqueEmails(count) }
    const broadcast = await aBroadcast(await anApplication(), { audience })
    await BroadcastRecipient.query()
      .where('broadcastId', broadcast.id)
      .update({ due_at: 1, claims })
    return broadcast
  }

  test('are claimed in decreasing batch sizes', async ({ assert }) => {
    const [first, second] = [await abandonedRecipients(20, 1), await abandonedRecipients(20, 2)]
    assert.lengthOf(await claimRecipients(first.id, null), 10)
    const [only, ...others] = await claimRecipients(second.id, null)
    assert.lengthOf(others, 0)
    assert.equal(only.claims, 3)
    await Broadcast.query().whereIn('id', [first.id, second.id]).update({ status: 'cancelled' })
  })

  test('belong to one process until the lease expires', async ({ assert }) => {
    const { id } = await aBroadcast(await anApplication(), {
      audience: { kind: 'emails', emails: uniqueEmails(150) },
    })
    const claims = await Promise.all([1, 2, 3].map(() => claimRecipients(id, null)))
    const ids = claims.flat().map((row) => row.id)
    assert.lengthOf(ids, 150)
    assert.equal(new Set(ids).size, 150)
    assert.lengthOf(await claimRecipients(id, null), 0)
    await Broadcast.query().where('id', id).update({ status: 'cancelled' })
  })

  test('fail with a reason after too many abandoned claims', async ({ assert, cleanup }) => {
    const { id } = await abandonedRecipients(2, broadcastsConfig.maxClaims)
    // One recipient was abandoned again while this was being written.
    const one = await BroadcastRecipient.findByOrFail('broadcastId', id)
    await one.merge({ claims: broadcastsConfig.maxClaims + 1 }).save()
    startBroadcastWorker(cleanup)
    const { failed, total } = await waitForBroadcastStatus(id, 'completed')
    assert.deepEqual([failed, total], [2, 2])
    const recipients = await BroadcastRecipient.query().where('broadcastId', id)
    const records = await Notification.query().whereIn(
      'id',
      recipients.map(({ notificationId }) => notificationId!)
    )
    assert.lengthOf(records, 2)
    for (const { status, statusReason, inInbox } of records) {
      assert.deepEqual([status, inInbox], ['failed', false])
      assert.match(statusReason!, /^RENDER_ERROR: .*interrupted 5 times$/)
    }
  })
})

test.group('An audience during expansion', () => {
  test('is complete and without duplicates when several processes expand it', async ({
    assert,
  }) => {
    const application = await anApplication()
    const emails = uniqueEmails(1_300)
    await insertPeople(application, emails)
    const { id } = await aBroadcast(application, { audience: { kind: 'application' } })
    let left = true
    while (left) {
      const more = await Promise.all([1, 2, 3].map(() => expandAudience(id)))
      left = more.some(Boolean)
    }
    const { total, expanded } = await Broadcast.findOrFail(id)
    assert.deepEqual([total, expanded], [1_300, true])
    const [{ count }] = await db
      .from('broadcast_recipients')
      .where('broadcast_id', id)
      .countDistinct('email as count')
    assert.equal(Number(count), 1_300)
    await Broadcast.query().where('id', id).update({ status: 'cancelled' })
  })
})
