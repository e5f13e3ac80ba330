import { setImmediate as nextTurn } from 'node:timers/promises'
import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { PreparedQuery, type RunQuery } from '#core/database/prepared_query'
import type { ClaimedRow } from '#app/broadcasts/queries/claim_statements'
import { progressStatements } from '#app/broadcasts/queries/progress_statements'
import type { PreparedNotification } from '#app/delivery/actions/prepare_notification'
import { RecipientErased, recordNotifications } from '#app/delivery/actions/record_notifications'
import { type RenderedAgain, recordTexts } from '#app/delivery/actions/record_texts'
import { addToDigests, entriesOf } from '#app/delivery/digests/add_to_digests'
import { announceInboxNews } from '#app/delivery/inbox_news'
import { notificationReference } from '#app/delivery/values/notification_reference'
import DigestItem from '#app/delivery/models/digest_item'
import Delivery, { type Channel } from '#app/delivery/models/delivery'
import type { DeliveryResult } from '#app/delivery/values/delivery_result'
import Notification from '#app/notifications/models/notification'
import type { NotificationStatus } from '#app/notifications/values/notification_status'

type EarlierResult = Pick<DeliveryResult, 'status' | 'error'>

/** A recipient's notification record, with the results of earlier attempts. */
export interface RecipientRecord {
  id: number
  reference: string
  earlier: Map<Channel, EarlierResult>
  /** Created by this attempt, and so removable until a message is sent. */
  isNew: boolean
  /** As it was when the attempt began; also `skipped` if it was cancelled while it waited */
  status: NotificationStatus
  statusReason: string | null
  createdAt: DateTime
  /** Whether its mail is, or was, part of a digest */
  isInDigest: boolean
}

interface ExistingRecord extends RecipientRecord {
  notification: Notification
}

export interface BatchItem {
  row: ClaimedRow
  prepared: PreparedNotification
}

/** Another process has claimed these recipients. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}

/** Few enough that a pause leaves hardly any records to remove. */
const SLICE = 20

/** Creates records shortly before use. Retries reuse them, so that the inbox shows one message. */
export class BatchRecords {
  readonly #items: BatchItem[]
  readonly #slices = new Map<number, Promise<RecipientRecord[]>>()

  constructor(items: BatchItem[]) {
    this.#items = items
  }

  /** @throws LeaseLost, RecipientErased */
  async recordFor(index: number): Promise<RecipientRecord> {
    const slice = await this.#slice(Math.floor(index / SLICE))
    return slice[index % SLICE]
  }

  /** Undefined if there is none, because an erasure has prevented it, too. */
  async findWritten(index: number): Promise<RecipientRecord | undefined> {
    try {
      const slice = await this.#slices.get(Math.floor(index / SLICE))
      return slice?.[index % SLICE]
    } catch (error) {
      if (error instanceof RecipientErased) return undefined
      throw error
    }
  }

  #slice(number: number) {
    const known = this.#slices.get(number)
    if (known) return known
    const records = record(this.#items.slice(number * SLICE, (number + 1) * SLICE))
    this.#slices.set(number, records)
    return records
  }
}

async function record(items: BatchItem[]): Promise<RecipientRecord[]> {
  const existing = await readExistingRecords(items.flatMap(({ row }) => row.notification_id ?? []))
  const recordOf = ({ row }: BatchItem) => existing.get(row.notification_id ?? 0)
  const fresh = items.filter((item) => !recordOf(item))
  await unlink(fresh)
  const added = await createRecords(fresh)
  await recordTexts(items.flatMap((item) => renderedAgain(item, recordOf(item))))
  return items.map((item) => recordOf(item) ?? added.get(item)!)
}

/** A retry is rendered with the template as it is now. */
function renderedAgain(
  { prepared }: BatchItem,
  known: ExistingRecord | undefined
): RenderedAgain[] {
  if (!known || !prepared.channels.some((channel) => !known.earlier.has(channel))) return []
  const { notification } = known
  const shown = ['subject', 'locale', 'bodyText', 'bodyHtml'] as const
  if (shown.every((field) => notification[field] === prepared.record[field])) return []
  return [{ notification, record: prepared.record }]
}

/** A broadcast that was paused for long may outlive its records. */
async function unlink(items: BatchItem[]) {
  const links = items.flatMap(({ row: { id, notification_id } }) =>
    notification_id === null ? [] : [{ id, notification_id }]
  )
  if (links.length > 0) await progressStatements().unlink.all([JSON.stringify(links)])
}

/** @throws RecipientErased, LeaseLost */
async function refuseToLink(rows: { id: number }[], run: RunQuery): Promise<never> {
  const ids = rows.map(({ id }) => ({ id }))
  const undecided = await run(progressStatements().undecided, [JSON.stringify(ids)])
  throw undecided.length < rows.length ? new RecipientErased() : new LeaseLost()
}

async function createRecords(items: BatchItem[]): Promise<Map<BatchItem, RecipientRecord>> {
  if (items.length === 0) return new Map()
  const recorded = await PreparedQuery.inTransaction(async (run) => {
    const records = items.map(({ prepared }) => prepared)
    const added = await recordNotifications(records, run)
    const links = added.map(({ id }, index) => ({ id: items[index].row.id, notification_id: id }))
    const linked = await run(progressStatements().link, [JSON.stringify(links)])
    if (linked.length < links.length) await refuseToLink(links, run)
    await addToDigests(entriesOf(records, added), run)
    return added
  })
  await nextTurn()
  announceInboxNews()
  return new Map(
    items.map((item, index) => {
      const { digest, record: written } = item.prepared
      const { status, statusReason } = written
      const fresh = { earlier: new Map(), isNew: true, createdAt: DateTime.utc() }
      const now = { status, statusReason, isInDigest: digest !== null }
      return [item, { ...recorded[index], ...fresh, ...now }]
    })
  )
}

async function readExistingRecords(ids: number[]) {
  if (ids.length === 0) return new Map<number, ExistingRecord>()
  const [notifications, deliveries, waiting] = await Promise.all([
    Notification.query()
      .whereIn('id', ids)
      .select('id', 'email', 'createdAt', 'status', 'statusReason', 'digestId')
      .select('subject', 'locale', 'sensitiveVariables', 'bodyText', 'bodyHtml'),
    Delivery.query().whereIn('notificationId', ids),
    DigestItem.query().whereIn('notificationId', ids).select('notificationId'),
  ])
  const digested = new Set(waiting.map(({ notificationId }) => notificationId))
  const attempted = Map.groupBy(deliveries, ({ notificationId }) => notificationId)
  return new Map(
    notifications.map((notification): [number, ExistingRecord] => {
      const { id, email, createdAt, status, statusReason, digestId } = notification
      const reference = notificationReference(id, toDatabaseTimestamp(createdAt), email)
      const earlier = new Map((attempted.get(id) ?? []).map((one) => [one.channel, resultOf(one)]))
      const isInDigest = digestId !== null || digested.has(id)
      const known = { id, reference, earlier, isNew: false, status, statusReason, createdAt }
      return [id, { ...known, isInDigest, notification }]
    })
  )
}

const resultOf = ({ status, error }: Delivery): EarlierResult => ({ status, error })
