import { createHash } from 'node:crypto'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import HandledEvent from '#app/identity_provider/models/handled_event'
import type { AddressEvent } from '#app/identity_provider/user_lifecycle/lifecycle_event'

const REMEMBERED = { days: 90 }

/** Records the event id. The user record must be locked against concurrent events. */
export async function isDuplicateEvent(event: AddressEvent, trx: TransactionClientContract) {
  if (!event.eventId) return false
  const digest = createHash('sha256').update(`${event.email}\n${event.eventId}`).digest('hex')
  const before = toDatabaseTimestamp(DateTime.utc().minus(REMEMBERED))
  await HandledEvent.query({ client: trx }).where('createdAt', '<', before).delete()
  const known = await HandledEvent.findBy({ digest }, { client: trx })
  if (!known) await HandledEvent.create({ digest }, { client: trx })
  return known !== null
}
