import { PreparedQuery } from '#core/database/prepared_query'
import { transaction } from '#core/database/transaction'
import { Deadline } from '#core/values/deadline'
import { inParallel } from '#core/values/in_parallel'
import { resetClaimPosition } from '#app/broadcasts/background/claim_recipients'
import { type ClaimedRow, claimStatements } from '#app/broadcasts/queries/claim_statements'
import { progressStatements } from '#app/broadcasts/queries/progress_statements'
import { BatchOutcomes, type RecipientOutcome } from '#app/broadcasts/background/batch_outcomes'
import {
  type BatchItem,
  BatchRecords,
  LeaseLost,
  type RecipientRecord,
} from '#app/broadcasts/background/batch_records'
import { BatchMonitor } from '#app/broadcasts/background/batch_monitor'
import { type Batch, prepareBatch } from '#app/broadcasts/background/prepare_batch'
import { waitForQuietHours } from '#app/broadcasts/background/wait_for_quiet_hours'
import { beginScheduled } from '#app/delivery/actions/begin_scheduled'
import { deliver } from '#app/delivery/actions/deliver'
import { RecipientErased } from '#app/delivery/actions/record_notifications'
import { leaveToDigest } from '#app/delivery/digests/leave_to_digest'
import { outcomeOf } from '#app/delivery/values/delivery_outcome'
import broadcastsConfig from '#config/broadcasts'

/** Sends a broadcast to claimed recipients. Those not started in time are released. */
export async function sendBatch(batch: Batch, stopping: AbortSignal) {
  const { broadcast, rows } = batch
  const watch = new BatchMonitor(broadcast.id, batch.lease, stopping)
  try {
    const items = await prepareBatch(batch)
    const records = new BatchRecords(items)
    const outcomes = new BatchOutcomes(broadcast.id, batch.lease)
    const notStarted = [...rows.keys()].slice(items.length)
    const errors: unknown[] = []
    await inParallel(items, broadcastsConfig.parallel, async (item, index) => {
      if (watch.mustStop) return void notStarted.push(index)
      try {
        const record = await records.recordFor(index)
        if (watch.mustStop) return void notStarted.push(index)
        await outcomes.add(await sendTo(item, record, watch))
      } catch (error) {
        watch.stop()
        errors.push(error)
        if (error instanceof RecipientErased) notStarted.push(index)
      }
    })
    if (notStarted.length > 0 && !batch.lease.hasPassed) {
      await releaseRecipients(notStarted, rows, records)
      resetClaimPosition(broadcast.id)
    }
    if (watch.isMailServerFailing) {
      await claimStatements().hold.all([broadcast.id, broadcastsConfig.holdMs])
    }
    if (errors.length > 0 && !isExpected(errors[0])) throw errors[0]
  } finally {
    watch.stop()
  }
}

/** An erasure has decided a recipient, or the others are claimed again when the lease expires. */
const isExpected = (error: unknown) =>
  error instanceof LeaseLost || error instanceof RecipientErased

const CANCELLED = {
  outcome: { status: 'skipped', statusReason: 'CANCELLED' },
  isRecorded: true,
  wasCancelled: true,
} as const

/** To a digest, which has the outcome of its mail. */
const HANDED_OVER = {
  outcome: { status: 'sent', statusReason: null },
  isRecorded: true,
  isHandedOver: true,
} as const

async function sendTo(
  { row, prepared }: BatchItem,
  record: RecipientRecord,
  watch: BatchMonitor
): Promise<RecipientOutcome> {
  const { id: notificationId, reference, earlier, isNew, isInDigest } = record
  const base = {
    recipientId: row.id,
    notificationId,
    results: new Map(),
    deferred: new Map(),
    retryAfter: null,
    waitFor: null,
  }
  if (record.status === 'skipped' && !isNew) {
    const { status, statusReason } = record
    // Others were skipped by a process that died before it recorded that.
    if (statusReason === CANCELLED.outcome.statusReason) return { ...base, ...CANCELLED }
    return { ...base, outcome: { status, statusReason }, isRecorded: true }
  }
  const left = prepared.channels.filter((channel) => !earlier.has(channel))
  const channels = isInDigest ? left.filter((channel) => channel !== 'email') : left
  const waited = record.status === 'scheduled'
  if (channels.length === 0 && isInDigest && !(waited && earlier.size > 0)) {
    if (waited) await transaction((trx) => leaveToDigest(notificationId, trx))
    return { ...base, ...HANDED_OVER }
  }
  if (channels.length === 0) {
    const outcome = earlier.size > 0 ? outcomeOf(earlier) : prepared.record
    return { ...base, outcome, isRecorded: isNew }
  }
  const waitFor = await waitForQuietHours(prepared.record, record)
  if (waitFor !== null) return { ...base, outcome: prepared.record, isRecorded: true, waitFor }
  if (waited && !(await beginScheduled(notificationId, channels[0]))) {
    return { ...base, ...CANCELLED }
  }
  const { mailBudgetMs } = broadcastsConfig
  const deadline = new Deadline(watch.beginWithinMs + mailBudgetMs, mailBudgetMs)
  const { results } = await deliver(prepared.outgoing(reference), channels, deadline)
  const outcome = outcomeOf(new Map([...earlier, ...results]))
  const mail = results.get('email')
  if (mail?.wasNotOffered) {
    results.delete('email')
    const isRecorded = results.size === 0
    return { ...base, outcome, results, isRecorded, waitFor: broadcastsConfig.postponedMs }
  }
  if (mail) watch.recordAttempt(mail.isTemporary === true)
  const { retryAfterMs, retryUnconfirmedAfterMs } = broadcastsConfig
  const pauses = mail?.isUnconfirmed ? retryUnconfirmedAfterMs : retryAfterMs
  const retryAfter = mail?.isTemporary ? (pauses[row.tries] ?? null) : null
  if (mail && retryAfter !== null) {
    results.delete('email')
    base.deferred.set('email', mail)
  }
  return { ...base, outcome, results, retryAfter, isRecorded: false }
}

/** Removes unused records from log and inbox. Claims whose record is unknown simply expire. */
async function releaseRecipients(notStarted: number[], rows: ClaimedRow[], records: BatchRecords) {
  const lookups = await Promise.allSettled(notStarted.map((index) => records.findWritten(index)))
  const known = notStarted.flatMap((index, nth) => {
    const lookup = lookups[nth]
    return lookup.status === 'fulfilled' ? [{ index, record: lookup.value }] : []
  })
  const unused = known.flatMap(({ record }) => (record?.isNew ? [record] : []))
  const releases = known.map(({ index, record }) => ({
    id: rows[index].id,
    recorded: record?.isNew === true,
  }))
  await PreparedQuery.inTransaction(async (run) => {
    const statements = progressStatements()
    await run(statements.release, [JSON.stringify(releases)])
    const ids = unused.map(({ id }) => ({ id }))
    if (ids.length > 0) await run(statements.forgetNotifications, [JSON.stringify(ids)])
  })
}
