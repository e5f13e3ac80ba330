import { DateTime } from 'luxon'
import { parseDatabaseTimestamp, toDatabaseTimestamp } from '#core/database/columns'
import type { PreparedQuery, RunQuery } from '#core/database/prepared_query'
import { type OpenDigest, digestStatements } from '#app/delivery/digests/digest_statements'

/** The mail of a message that becomes a part of a digest. */
export interface DigestEntry {
  userId: number
  applicationId: number
  typeId: number
  dueAt: DateTime
  /** Encrypted */
  content: string
}

export interface AddedEntry {
  notificationId: number
  entry: DigestEntry
}

/** Digest entries of the recorded notifications whose mail goes into a digest. */
export const entriesOf = (
  prepared: { digest: DigestEntry | null }[],
  recorded: { id: number }[]
): AddedEntry[] =>
  recorded.flatMap(({ id: notificationId }, index) => {
    const { digest: entry } = prepared[index]
    return entry ? [{ notificationId, entry }] : []
  })

/**
 * Adds messages to the digests that wait, or opens digests for them.
 * @returns when messages are due whose digest is due at another time than their own entries say
 */
export async function addToDigests(
  added: AddedEntry[],
  run: RunQuery
): Promise<Map<number, DateTime>> {
  if (added.length === 0) return new Map()
  const createdAt = toDatabaseTimestamp(DateTime.utc())
  const byDigest = Map.groupBy(added, ({ entry }) => keyOf(entry.userId, entry.typeId))
  const rows = [...byDigest.values()].map((entries) => {
    const [{ entry }] = entries
    return {
      user_id: entry.userId,
      application_id: entry.applicationId,
      notification_type_id: entry.typeId,
      due_at: toDatabaseTimestamp(DateTime.min(...entries.map(({ entry: { dueAt } }) => dueAt))!),
      created_at: createdAt,
    }
  })
  const statements = digestStatements()
  const earlier = await run(statements.dueTimes, [JSON.stringify(rows)])
  const opened = await run(statements.openDigests, [JSON.stringify(rows)])
  const digestOf = new Map(
    opened.map((row) => [keyOf(row.user_id, row.notification_type_id), digestFrom(row)])
  )
  const items = added.map(({ notificationId, entry: { userId, typeId, content } }) => ({
    notification_id: notificationId,
    digest_id: digestOf.get(keyOf(userId, typeId))!.id,
    content,
  }))
  await run(statements.addItems, [JSON.stringify(items)])
  const due = new Map([...digestOf.values()].map(({ id, dueAt }) => [id, dueAt]))
  const broughtForward = earlier.flatMap(({ id, due_at }) => {
    const dueAt = due.get(id) ?? null
    return dueAt !== null && dueAt < parseDatabaseTimestamp(due_at)! ? [timeRow(id, dueAt)] : []
  })
  await runFor(statements.rescheduleDigests, broughtForward, run)
  const dueTimes = added.flatMap(({ notificationId, entry: { userId, typeId, dueAt: own } }) => {
    const { dueAt } = digestOf.get(keyOf(userId, typeId))!
    return dueAt !== null && +dueAt !== +own ? [[notificationId, dueAt] as const] : []
  })
  const changed = dueTimes.map(([id, dueAt]) => timeRow(id, dueAt))
  await runFor(statements.rescheduleMessages, changed, run)
  return new Map(dueTimes)
}

async function runFor(query: PreparedQuery<never>, rows: object[], run: RunQuery) {
  if (rows.length > 0) await run(query, [JSON.stringify(rows)])
}

/** While a process prepares it, `due_at` is the end of the claim. */
const digestFrom = ({ id, due_at, claim }: OpenDigest) => ({
  id,
  dueAt: claim === '' ? parseDatabaseTimestamp(due_at) : null,
})

const timeRow = (id: number, dueAt: DateTime) => ({ id, due_at: toDatabaseTimestamp(dueAt) })

const keyOf = (userId: number, typeId: number) => `${userId}\n${typeId}`
