import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import type { RunQuery } from '#core/database/prepared_query'
import { digestStatements } from '#app/delivery/digests/digest_statements'

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

/** Of those among recorded notifications whose mails become parts of digests. */
export const entriesOf = (
  prepared: { digest: DigestEntry | null }[],
  recorded: { id: number }[]
): AddedEntry[] =>
  recorded.flatMap(({ id: notificationId }, index) => {
    const { digest: entry } = prepared[index]
    return entry ? [{ notificationId, entry }] : []
  })

/** Adds messages to the digests that wait, or opens digests for them. */
export async function addToDigests(added: AddedEntry[], run: RunQuery) {
  if (added.length === 0) return
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
  const opened = await run(digestStatements().openDigests, [JSON.stringify(rows)])
  const ids = new Map(
    opened.map(({ id, user_id, notification_type_id }) => [
      keyOf(user_id, notification_type_id),
      id,
    ])
  )
  const items = added.map(({ notificationId, entry: { userId, typeId, content } }) => ({
    notification_id: notificationId,
    digest_id: ids.get(keyOf(userId, typeId))!,
    content,
  }))
  await run(digestStatements().addItems, [JSON.stringify(items)])
}

const keyOf = (userId: number, typeId: number) => `${userId}\n${typeId}`
