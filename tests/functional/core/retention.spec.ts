import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { usesPostgres } from '#core/database/dialect'
import { transaction } from '#core/database/transaction'
import { RetentionSource } from '#core/retention/retention_source'
import type { Sweep } from '#core/retention/sweep'
import Broadcast from '#app/broadcasts/models/broadcast'
import BroadcastRecipient from '#app/broadcasts/models/broadcast_recipient'
import { pauseBroadcast } from '#app/broadcasts/actions/pause_broadcast'
import Delivery from '#app/delivery/models/delivery'
import Digest from '#app/delivery/models/digest'
import DigestItem from '#app/delivery/models/digest_item'
import IdempotencyKey from '#app/delivery/models/idempotency_key'
import { deliverySweeps } from '#app/delivery/retention'
import Notification from '#app/notifications/models/notification'
import { notificationSweeps } from '#app/notifications/retention'
import ProviderMail from '#app/identity_provider/models/provider_mail'
import { ensureUser } from '#app/profiles/actions/ensure_user'
import LoginRecord from '#app/profiles/models/login_record'
import RegistrationLocale from '#app/profiles/models/registration_locale'
import { profileSweeps } from '#app/profiles/retention'
import { sweeps } from '#start/background'
import retentionConfig from '#config/retention'
import {
  aBroadcast,
  waitForBroadcastStatus,
  uniqueEmails,
  startBroadcastWorker,
} from '#tests/helpers/broadcasts'
import { recordStatements } from '#tests/helpers/count_statements'
import { eventually } from '#tests/helpers/eventually'
import { aType } from '#tests/helpers/deliveries'
import { aNotification } from '#tests/helpers/inbox'
import { anApplication, signedIn, superAdmin, uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { sameDatabase } from '#tests/helpers/same_database'
import { startProductionService } from '#tests/world/production_service'
import { startService } from '#tests/world/service'

const daysAgo = (days: number) => DateTime.utc().minus({ days })

async function removeOld(cleanup: (callback: () => void) => void) {
  const { pauseMs } = retentionConfig
  retentionConfig.pauseMs = 1
  cleanup(() => void (retentionConfig.pauseMs = pauseMs))
  const source = new RetentionSource(sweeps)
  while (await source.work(new AbortController().signal));
}

/** Records of one user, one per day, up to the given age. */
function someLogins(email: string, ages: number[]) {
  const login = { email, appCode: 'shop', event: 'login', source: 'server' } as const
  return LoginRecord.createMany(ages.map((days) => ({ ...login, occurredAt: daysAgo(days) })))
}

async function aMessage(email: string, days: number, fields: Partial<Notification> = {}) {
  const { id } = await aNotification(email, { createdAt: daysAgo(days), ...fields })
  await Delivery.create({ notificationId: id, channel: 'email', status: 'sent', attempts: 1 })
  return id
}

/** Makes the mail of a message wait for a digest. */
async function waitForDigest(email: string, notificationId: number) {
  const application = await anApplication()
  const { id: notificationTypeId } = await aType(application)
  const { id: userId } = await ensureUser({ email })
  const digest = await Digest.create({
    applicationId: application.id,
    notificationTypeId,
    userId,
    dueAt: daysAgo(-1),
    createdAt: daysAgo(450),
    claim: '',
    claims: 0,
  })
  await DigestItem.create({ digestId: digest.id, notificationId, content: '{}' })
}

test.group('Retention', () => {
  test('removes login records after 400 days, and changes no statistics', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { code } = await anApplication()
    const person = signedIn(client, uniqueEmail())
    const path = `/api/profile/me/apps/${code}`
    for (let login = 0; login < 3; login++) await person.get(path)
    const before = await person.get('/api/profile/me/apps')
    await LoginRecord.query()
      .where('email', person.email)
      .update({ occurred_at: toDatabaseTimestamp(daysAgo(401)) })
    await someLogins(person.email, [399, 1])
    await removeOld(cleanup)

    const left = await LoginRecord.query().where('email', person.email).orderBy('id')
    assert.lengthOf(left, 2)
    const after = await person.get('/api/profile/me/apps')
    assert.deepEqual(after.body(), before.body())
    assert.equal(after.body().data[0].loginCount, 3)
  })

  test('removes notifications with their deliveries after 400 days, read or not', async ({
    assert,
    client,
    cleanup,
  }) => {
    const email = uniqueEmail()
    const old = [
      await aMessage(email, 401),
      await aMessage(email, 500, { readAt: daysAgo(499) }),
      await aMessage(email, 1_000, { inInbox: false }),
      await aMessage(email, 450, { scheduledFor: daysAgo(401) }),
    ]
    const kept = [
      await aMessage(email, 399),
      await aMessage(email, 0),
      await aMessage(email, 450, { scheduledFor: daysAgo(399) }),
      await aMessage(email, 450, { scheduledFor: daysAgo(-1), status: 'scheduled' }),
    ]
    const waiting = await aMessage(email, 450)
    await waitForDigest(email, waiting)
    kept.push(waiting)
    const mail = await ProviderMail.create({
      fingerprint: uniqueCode(),
      claim: uniqueCode(),
      status: 'sent',
      content: null,
      templateSource: 'idp',
      notificationId: old[0],
      dueAt: null,
      giveUpAt: daysAgo(0),
      receivedAt: daysAgo(0),
    })
    await removeOld(cleanup)

    const left = await Notification.query().where('email', email).orderBy('id')
    assert.deepEqual(
      left.map(({ id }) => id),
      kept
    )
    const deliveries = await Delivery.query().whereIn('notificationId', [...old, ...kept])
    assert.sameMembers(
      deliveries.map(({ notificationId }) => notificationId),
      kept
    )
    assert.isNull((await mail.refresh()).notificationId)
    const unread = await signedIn(client, email).get(
      '/api/profile/me/notifications/inbox/unread-count'
    )
    assert.equal(unread.body().response.count, kept.length)
  })

  test('removes the recipients of broadcasts that ended 90 days ago, and keeps the counts', async ({
    assert,
    client,
    cleanup,
  }) => {
    const application = await anApplication()
    const create = () =>
      aBroadcast(application, { audience: { kind: 'emails', emails: uniqueEmails(3) } })
    const [old, recent] = [await create(), await create()]
    const paused = await aBroadcast(application, { scheduledAt: '2099-01-01T00:00:00Z' })
    await pauseBroadcast(application.code, paused.id)
    startBroadcastWorker(cleanup)
    for (const { id } of [old, recent]) await waitForBroadcastStatus(id, 'completed')
    const age = (id: number, days: number) =>
      Broadcast.query()
        .where('id', id)
        .update({ finished_at: toDatabaseTimestamp(daysAgo(days)) })
    await age(old.id, 91)
    await age(recent.id, 89)
    await Broadcast.query()
      .where('id', paused.id)
      .update({ created_at: toDatabaseTimestamp(daysAgo(1_000)) })
    await removeOld(cleanup)

    const recipients = async ({ id }: Broadcast) =>
      (await BroadcastRecipient.query().where('broadcastId', id)).length
    assert.deepEqual(await Promise.all([old, recent, paused].map(recipients)), [0, 3, 1])
    const shown = await superAdmin(client).get(
      `/api/admin/notifications/broadcast/${application.code}/${old.id}`
    )
    assert.deepInclude(shown.body().data, { total: 3, sent: 3, processed: 3, status: 'completed' })
  })

  test('removes idempotency keys after a day and expired languages of registrations', async ({
    assert,
    cleanup,
  }) => {
    const digest = () => uniqueCode().padEnd(64, '0')
    const [old, recent] = await IdempotencyKey.createMany(
      [25, 23].map((hours) => ({
        keyDigest: digest(),
        bodyDigest: digest(),
        answer: '{}',
        createdAt: DateTime.utc().minus({ hours }),
      }))
    )
    const [ended, current] = await RegistrationLocale.createMany(
      [-1, 1].map((minutes) => ({
        email: uniqueEmail(),
        organisationId: '1',
        locale: 'cs',
        expiresAt: DateTime.utc().plus({ minutes }),
      }))
    )
    await removeOld(cleanup)
    assert.isNull(await IdempotencyKey.find(old.id))
    assert.isNotNull(await IdempotencyKey.find(recent.id))
    assert.isNull(await RegistrationLocale.find(ended.id))
    assert.isNotNull(await RegistrationLocale.find(current.id))
  })

  test('removes a bounded number of rows at a time until none are left', async ({
    assert,
    cleanup,
  }) => {
    const { step, pauseMs } = retentionConfig
    Object.assign(retentionConfig, { step: { sqlite: 10, pg: 10 }, pauseMs: 1 })
    cleanup(() => void Object.assign(retentionConfig, { step, pauseMs }))
    const email = uniqueEmail()
    await removeOld(cleanup)
    await someLogins(
      email,
      Array.from({ length: 25 }, (_, index) => 500 + index)
    )
    const source = new RetentionSource(profileSweeps)
    const left: number[] = []
    let more = true
    while (more) {
      more = await source.work(new AbortController().signal)
      left.push((await LoginRecord.query().where('email', email)).length)
    }
    assert.deepEqual(left, [15, 5, 0, 0])
  })

  test('deletes everything without conflicts when several processes run', async ({
    assert,
    cleanup,
  }) => {
    const { step, pauseMs } = retentionConfig
    Object.assign(retentionConfig, { step: { sqlite: 10, pg: 10 }, pauseMs: 1 })
    cleanup(() => void Object.assign(retentionConfig, { step, pauseMs }))
    const email = uniqueEmail()
    await someLogins(
      email,
      Array.from({ length: 200 }, () => 500)
    )
    const work = async () => {
      const source = new RetentionSource(sweeps)
      while (await source.work(new AbortController().signal));
    }
    await Promise.all(Array.from({ length: 4 }, work))
    await work()
    assert.isEmpty(await LoginRecord.query().where('email', email))
  })

  test('waits while another process deletes the same rows', async ({ assert, cleanup }) => {
    if (!usesPostgres()) return
    const email = uniqueEmail()
    await someLogins(email, [500])
    await transaction(async (trx) => {
      const lock = `select pg_advisory_xact_lock(hashtextextended('retention of login_records', 0))`
      await trx.rawQuery(lock)
      assert.isFalse(await new RetentionSource(profileSweeps).work(new AbortController().signal))
    })
    assert.lengthOf(await LoginRecord.query().where('email', email), 1)
    await removeOld(cleanup)
    assert.isEmpty(await LoginRecord.query().where('email', email))
  })

  test('checks once a minute, and deletes only if rows have expired', async ({
    assert,
    cleanup,
  }) => {
    await removeOld(cleanup)
    const source = new RetentionSource(sweeps)
    const work = () => source.work(new AbortController().signal)
    const statements = await recordStatements(work)
    assert.lengthOf(statements, sweeps.length)
    for (const statement of statements) assert.notMatch(statement, /delete|begin/i)
    assert.isEmpty(await recordStatements(work))
  })

  test('continues when one kind of row cannot be deleted', async ({ assert, cleanup }) => {
    const email = uniqueEmail()
    await someLogins(email, [500])
    const broken: Sweep = {
      name: 'broken',
      isDue: async () => true,
      deleteExpired: async () => {
        throw new Error('It cannot be')
      },
    }
    const source = new RetentionSource([broken, ...profileSweeps])
    while (await source.work(new AbortController().signal));
    assert.isEmpty(await LoginRecord.query().where('email', email))
    await removeOld(cleanup)
  })

  test('finds the oldest rows by an index', async ({ assert }) => {
    const rows = Array.from({ length: 3_000 }, (_, index) => index)
    const email = uniqueEmail()
    for (let start = 0; start < rows.length; start += 500) {
      await someLogins(
        email,
        rows.slice(start, start + 500).map((index) => 1 + index / 100)
      )
    }
    const looks = await recordStatements(async () => {
      for (const sweep of [...profileSweeps, ...notificationSweeps, ...deliverySweeps]) {
        await sweep.isDue(DateTime.utc())
      }
    })
    assert.lengthOf(looks, 4)
    const plans = await Promise.all(
      [
        `select id from login_records where occurred_at < '2000-01-01' order by occurred_at limit 500`,
        `select id from notifications where created_at < '2000-01-01' order by created_at limit 500`,
        `select id from broadcasts where recipients_kept = true and finished_at < '2000-01-01' order by finished_at limit 1`,
        `select id from provider_mails where notification_id = 1`,
        `select id from login_records where email = '${email}' and app_code = 'shop'
           and occurred_at >= '2000-01-01' order by occurred_at limit 1 offset 99`,
      ].map(planOf)
    )
    for (const plan of plans) {
      assert.match(plan, /index/i, plan)
      assert.notMatch(plan, /TEMP B-TREE|Sort/, plan)
    }
    await LoginRecord.query().where('email', email).delete()
  })

  test('is part of the service, and 0 keeps everything', async ({ assert, cleanup }) => {
    await removeOld(cleanup)
    const email = uniqueEmail()
    await someLogins(email, [500])
    const kept = await startService({
      ...sameDatabase(),
      RETENTION_LOGIN_RECORDS_DAYS: '0',
      RETENTION_NOTIFICATIONS_DAYS: '0',
      RETENTION_BROADCAST_RECIPIENTS_DAYS: '0',
    })
    const marker = await IdempotencyKey.create({
      keyDigest: uniqueCode().padEnd(64, '0'),
      bodyDigest: uniqueCode().padEnd(64, '0'),
      answer: '{}',
      createdAt: daysAgo(2),
    })
    // Another process may have skipped this row in its first round.
    await kept.stop()
    assert.lengthOf(await LoginRecord.query().where('email', email), 1)
    const service = await startProductionService({
      ...sameDatabase(),
      RETENTION_LOGIN_RECORDS_DAYS: '499',
    })
    cleanup(() => void service.stop())
    await eventually('the old record is gone', async () => {
      const [record, key] = [
        await LoginRecord.findBy({ email }),
        await IdempotencyKey.find(marker.id),
      ]
      return record === null && key === null
    })
  })

  test('accepts only a whole number of days', async ({ assert }) => {
    for (const value of ['-1', 'many', '1e9', '0.5']) {
      await assert.rejects(
        () => startService({ RETENTION_NOTIFICATIONS_DAYS: value }),
        /RETENTION_NOTIFICATIONS_DAYS/
      )
    }
  })

  test('sends a broadcast again, once, if its record was deleted', async ({ assert, cleanup }) => {
    const application = await anApplication()
    const email = uniqueEmail()
    const { id } = await aBroadcast(application, {
      audience: { kind: 'emails', emails: [email] },
      scheduledAt: '2099-01-01T00:00:00Z',
    })
    const { id: gone } = await aNotification(email)
    await BroadcastRecipient.query()
      .where('broadcastId', id)
      .update({ notification_id: gone, due_at: 0 })
    await db.from('notifications').where('id', gone).delete()
    await Broadcast.query().where('id', id).update({ status: 'running' })
    startBroadcastWorker(cleanup)
    const { sent } = await waitForBroadcastStatus(id, 'completed')
    assert.equal(sent, 1)
    assert.lengthOf(await Notification.query().where('email', email), 1)
  })
})

async function planOf(query: string): Promise<string> {
  if (!usesPostgres()) return JSON.stringify(await db.rawQuery(`explain query plan ${query}`))
  return db.connection().transaction(async (trx) => {
    // PostgreSQL does not use an index for tables this small.
    for (const other of ['seqscan', 'bitmapscan', 'sort']) {
      await trx.rawQuery(`set local enable_${other} = off`)
    }
    const { rows } = await trx.rawQuery(`explain ${query}`)
    return JSON.stringify(rows)
  })
}
