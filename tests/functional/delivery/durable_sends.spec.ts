import { test } from '@japa/runner'
import { DateTime } from 'luxon'
import { LaterParts } from '#core/background/later_parts'
import { recordPendingRound } from '#app/delivery/actions/record_pending_round'
import { claimPending } from '#app/delivery/background/claim_pending'
import { RoundSlots } from '#app/delivery/background/round_slots'
import { failedDelivery } from '#app/delivery/values/delivery_result'
import Notification from '#app/notifications/models/notification'
import { storedSmtp } from '#tests/helpers/brand_mail'
import {
  postInternalNotification,
  notificationRecordOf,
  sendNotification,
} from '#tests/helpers/deliveries'
import {
  TEXT,
  runNextRound,
  makeDue,
  findPendingSend,
  processDueSends,
  sendDurably,
  refusedPerson,
  takes,
  assertEnds,
  copyPendingSend,
} from '#tests/helpers/pending_sends'
import { anApplication, uniqueCode, uniqueEmail } from '#tests/helpers/people'
import { LONG_AGO } from '#tests/helpers/provider_hook'
import sendingConfig from '#config/sending'
import { startupFailure } from '#tests/helpers/startup_failure'
import { freePort } from '#tests/world/free_port'

test.group('A durable send', () => {
  test('that fails temporarily is retried with the same Message-ID until it succeeds', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { server, email, brand } = await refusedPerson(cleanup)
    const before = DateTime.utc()
    const result = await sendDurably(client, email, { retryHours: 2 })
    assert.equal(result.status, 'failed')
    assert.match(result.statusReason!, /^SMTP_ERROR: 451/)
    const retryUntil = DateTime.fromISO(result.retryUntil!)
    assert.match(result.retryUntil!, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.closeTo(retryUntil.diff(before).as('hours'), 2, 0.01)
    const pending = await findPendingSend(result.id)
    assert.isBelow(pending!.dueAt.diff(before).as('seconds'), 60, 'the first retry')

    const again = await runNextRound(result)
    assert.containSubset(again, { status: 'failed', statusReason: result.statusReason })
    takes(server)
    await brand.merge({ emailFrom: 'mail@another.example' }).save()
    const last = await runNextRound(result)
    assert.containSubset(last, { status: 'sent', statusReason: null })
    const { deliveries } = await notificationRecordOf(result.id)
    const [mail] = server.mailsTo(email)
    assert.lengthOf(server.mailsTo(email), 1)
    assert.deepEqual(deliveries, [
      {
        channel: 'email',
        status: 'sent',
        attempts: 7,
        error: null,
        providerMessageId: mail.parsed.messageId!,
      },
    ])
    assert.match(mail.parsed.messageId!, /@acme\.example>$/)
    assert.include(mail.parsed.text, TEXT.body)
    assert.isNull(await findPendingSend(result.id))
  })

  test('is not repeated for long if the server receives the mail without confirming it', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { server, email } = await refusedPerson(cleanup)
    let received = 0
    server.react = (stage) => {
      if (stage !== 'DATA') return undefined
      received++
      return 'cut'
    }
    const result = await sendDurably(client, email, { retryHours: 72 })
    assert.match(result.statusReason!, /connection was lost; the server may have accepted the mail/)
    const seconds = []
    for (;;) {
      const pending = await findPendingSend(result.id)
      if (pending === null) break
      seconds.push(pending.dueAt.diffNow().as('seconds'))
      assert.isBelow(seconds.length, 6)
      await runNextRound(result)
    }
    assert.lengthOf(seconds, 4)
    for (const [index, pause] of [15, 600, 1_200, 2_400].entries()) {
      assert.closeTo(seconds[index], pause, 0.2 * pause + 5)
    }
    // Twice in each of five rounds.
    assert.equal(received, 10)
    const { status, statusReason } = await Notification.findOrFail(result.id)
    assert.equal(status, 'failed')
    assert.equal(statusReason, result.statusReason)
  })

  test('is deleted once it succeeds or is rejected permanently', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { server, email } = await refusedPerson(cleanup)
    takes(server)
    const sent = await sendDurably(client, email)
    assert.deepEqual(sent, { id: sent.id, status: 'sent', statusReason: null })
    server.react = (stage) => (stage === 'RCPT' ? 550 : undefined)
    const refused = await sendDurably(client, email)
    assert.equal(refused.status, 'failed')
    assert.notProperty(refused, 'retryUntil')
    for (const { id } of [sent, refused]) assert.isNull(await findPendingSend(id))
  })

  test('is stored only if the request has retryHours', async ({ assert, client, cleanup }) => {
    const { email } = await refusedPerson(cleanup)
    for (const retryHours of [undefined, 0]) {
      const result = await sendDurably(client, email, { retryHours })
      assert.equal(result.status, 'failed')
      assert.notProperty(result, 'retryUntil')
      assert.isNull(await findPendingSend(result.id))
    }
  })

  test('is retried when the server is unreachable', async ({ assert, client, cleanup }) => {
    const { server, email, brand } = await refusedPerson(cleanup)
    await brand.merge({ smtp: storedSmtp(await freePort()) }).save()
    const result = await sendDurably(client, email)
    assert.property(result, 'retryUntil')
    takes(server)
    await brand.merge({ smtp: storedSmtp(server.port) }).save()
    assert.equal((await runNextRound(result)).status, 'sent')
  })

  test('accepts whole hours up to 72 only', async ({ client }) => {
    const { code: appCode } = await anApplication()
    for (const retryHours of [-1, 73, 1.5, '1']) {
      const request = { recipientEmail: uniqueEmail(), appCode, type: 'generic', data: TEXT }
      const response = await sendNotification(client, { ...request, retryHours })
      response.assertProblem(400, 'VALIDATION_ERROR', { errors: [{ field: 'retryHours' }] })
    }
  })

  test('can be an item of a bulk request', async ({ assert, client, cleanup }) => {
    const { server, email } = await refusedPerson(cleanup)
    const { code: appCode } = await anApplication()
    const item = { recipientEmail: email, appCode, type: 'generic', data: TEXT }
    const response = await postInternalNotification(client, '/bulk', {
      notifications: [{ ...item, retryHours: 1 }, item, { ...item, retryHours: 72 }],
    })
    const results = response.body().data
    assert.deepEqual(
      results.map(({ retryUntil }: { retryUntil?: string }) => retryUntil !== undefined),
      [true, false, true]
    )
    takes(server)
    assert.equal((await runNextRound(results[0])).status, 'sent')
    assert.equal((await runNextRound(results[2])).status, 'sent')
    assert.lengthOf(server.mailsTo(email), 2)
  })

  test('returns the first response to a repeated request', async ({ assert, client, cleanup }) => {
    const { server, email } = await refusedPerson(cleanup)
    const { code: appCode } = await anApplication()
    const headers = { 'idempotency-key': uniqueCode() }
    const first = await sendDurably(client, email, { appCode }, headers)
    takes(server)
    await runNextRound(first)
    assert.deepEqual(await sendDurably(client, email, { appCode }, headers), first)
    assert.lengthOf(server.mailsTo(email), 1)
  })

  test('fails without another attempt after the retry period', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { server, email } = await refusedPerson(cleanup)
    const result = await sendDurably(client, email)
    const pending = await findPendingSend(result.id)
    await pending!.merge({ giveUpAt: DateTime.utc().minus({ minutes: 2 }) }).save()
    takes(server)
    await assertEnds(assert, result, server, /^SMTP_ERROR: the retry period ended/)
  })

  test('has another last round if its mail waited for a connection in vain', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { server, email } = await refusedPerson(cleanup)
    const result = await sendDurably(client, email)
    const pending = (await findPendingSend(result.id))!
    const giveUpAt = DateTime.utc().minus({ minutes: 5 })
    await pending.merge({ giveUpAt }).save()
    const { id, claim, notificationId } = pending
    const mail = { ...failedDelivery('No connection', [], true), wasNotOffered: true }
    const { isPending } = await recordPendingRound(
      { id, claim, notificationId, channels: ['email'], giveUpAt },
      {
        outcome: { status: 'failed', statusReason: 'SMTP_ERROR: No connection' },
        results: new Map([['email', mail]]),
        channels: ['email'],
        isPostponed: true,
      }
    )
    assert.isTrue(isPending)
    takes(server)
    const entry = await runNextRound(result)
    assert.equal(entry.status, 'sent')
    assert.lengthOf(server.mails, 1)
  })

  test('keeps its content encrypted while it waits', async ({ assert, client, cleanup }) => {
    const { email } = await refusedPerson(cleanup)
    const { id } = await sendDurably(client, email)
    const { content } = (await findPendingSend(id))!
    assert.notInclude(content, TEXT.body)
    assert.notInclude(Buffer.from(content, 'base64').toString(), TEXT.body)
  })

  test('is left to processes that can decrypt it, and fails if there are none', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { server, email } = await refusedPerson(cleanup)
    const result = await sendDurably(client, email)
    const { content } = (await findPendingSend(result.id))!
    const before = await Notification.findOrFail(result.id)
    const withContent = async (of: string, claims: number) =>
      (await findPendingSend(result.id))!.merge({ content: of, claims, dueAt: LONG_AGO }).save()

    await withContent('of.another.key', 0)
    await processDueSends()
    const left = (await findPendingSend(result.id))!
    assert.containSubset(left, { claims: 1, rounds: 1 })
    assert.isAbove(left.dueAt.toMillis(), Date.now())
    assert.equal((await Notification.findOrFail(result.id)).statusReason, before.statusReason)

    await withContent(content, left.claims)
    assert.match((await runNextRound(result)).statusReason!, /^SMTP_ERROR: 451/)
    await withContent('of.another.key', 3)
    await assertEnds(assert, result, server, /cannot be decrypted with the current APP_KEY$/)
  })

  test('ends after several processes died while sending it', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { server, email } = await refusedPerson(cleanup)
    const result = await sendDurably(client, email)
    // Each claim is by a process that dies.
    for (let time = 0; time < 3; time++) {
      await makeDue(result.id)
      const [claimed] = await claimPending(new RoundSlots(), new LaterParts(sendingConfig.examined))
      assert.equal(claimed.notificationId, result.id)
    }
    takes(server)
    await assertEnds(assert, result, server, /^SMTP_ERROR: several processes ended while/)
  })

  test('does not end when processes die now and then', async ({ assert, client, cleanup }) => {
    const { email } = await refusedPerson(cleanup)
    const result = await sendDurably(client, email)
    for (let time = 0; time < 5; time++) {
      await makeDue(result.id)
      await claimPending(new RoundSlots(), new LaterParts(sendingConfig.examined))
      assert.equal((await runNextRound(result)).status, 'failed')
    }
    assert.isNotNull(await findPendingSend(result.id))
  })

  test('has its turn although thousands for a busy recipient were due before', async ({
    assert,
    client,
    cleanup,
  }) => {
    const { email } = await refusedPerson(cleanup)
    const { id } = await sendDurably(client, email)
    const send = (await findPendingSend(id))!
    const { applicationId, account } = send
    const recipientId = send.recipientId + 1_000_000
    const dueAt = DateTime.utc().minus({ seconds: 1 })
    await send.merge({ dueAt }).save()
    for (const [times, when] of [
      [21_000, LONG_AGO],
      [1_000, dueAt],
    ] as const) {
      await copyPendingSend(send, {
        times,
        recipientId,
        email: uniqueEmail(),
        dueAt: when,
        cleanup,
      })
    }
    const slots = new RoundSlots()
    for (let round = 0; round < sendingConfig.perRecipient; round++) {
      slots.take({ applicationId, account, recipientId })
    }
    const laterParts = new LaterParts<number>(sendingConfig.examined)
    const claimed = [
      ...(await claimPending(slots, laterParts)),
      ...(await claimPending(slots, laterParts)),
    ]
    assert.include(
      claimed.map(({ notificationId }) => notificationId),
      id
    )
  }).timeout(30_000)

  test('has a default number of hours up to 72 only', async ({ assert }) => {
    for (const SEND_RETRY_HOURS of ['73', '-1', '1.5']) {
      const refusal = await startupFailure({ SEND_RETRY_HOURS })
      assert.match(refusal, /SEND_RETRY_HOURS must be a whole number from 0 to 72/)
    }
  })
})
