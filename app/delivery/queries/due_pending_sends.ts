import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { DateTime } from 'luxon'
import { toDatabaseTimestamp } from '#core/database/columns'
import { isOneOf, listValue, selectRows } from '#core/database/select_rows'
import PendingSend from '#app/delivery/models/pending_send'
import sendingConfig from '#config/sending'

const { examined, perApplication } = sendingConfig

/** An application for which rounds are due. */
export interface DueApplication {
  applicationId: number
}

export interface DueSend extends DueApplication {
  id: number
  account: string
  recipientId: number
}

/** Of which of its sends no round can begin now. */
export interface Exceptions {
  accounts: string[]
  recipients: number[]
}

/** Rendered messages whose next round is due. */
export function duePendingSends(client?: TransactionClientContract) {
  return due(client).whereRaw('prepared = true')
}

/** Requests that are to be rendered now. The condition is that of their index. */
export function duePendingRequests(client?: TransactionClientContract) {
  return due(client).whereRaw('prepared = false')
}

function due(client?: TransactionClientContract) {
  return PendingSend.query({ client }).where('dueAt', '<=', toDatabaseTimestamp(DateTime.utc()))
}

/**
 * Goes from one application for which something waits to the next. Reading the sends instead would
 * take longer the more of them one application has.
 */
const DUE_APPLICATIONS = `with recursive waiting (id) as (
    select min(application_id) from pending_sends where prepared = true
    union all
    select (select min(application_id) from pending_sends
      where prepared = true and application_id > waiting.id)
    from waiting where waiting.id is not null
  ), due as (
    select id, (select min(due_at) from pending_sends
      where prepared = true and application_id = waiting.id) as due_at
    from waiting where id is not null
  )
  select id from due where due_at <= ? order by due_at`

/** Those whose sends have been due for longest come first. */
export async function readDueApplications(now: string): Promise<DueApplication[]> {
  const rows = await selectRows<{ id: number }>(db, DUE_APPLICATIONS, [now])
  return rows.map(({ id }) => ({ applicationId: id }))
}

/** A part of the due sends of an application, by age. */
interface Part extends DueApplication {
  except: Exceptions
  /** How many older ones come before it */
  offset: number
}

/** Of each part the oldest, except some. */
export async function readDueSends(parts: Part[], now: string): Promise<DueSend[]> {
  if (parts.length === 0) return []
  const selected = parts.map(
    () => `select * from (
      select id, application_id, account, recipient_id, due_at from (
        select id, application_id, account, recipient_id, due_at from pending_sends
        where prepared = true and application_id = ? and due_at <= ?
        order by due_at limit ? offset ?
      ) as examined
      where not (${isOneOf('account')}) and not (${isOneOf('recipient_id')})
      order by due_at limit ?
    ) as part`
  )
  const sql = `select * from (${selected.join(' union all ')}) as due order by due_at`
  const rows = await selectRows<Row>(
    db,
    sql,
    parts.flatMap(({ applicationId, except, offset }) => {
      const [accounts, recipients] = [listValue(except.accounts), listValue(except.recipients)]
      return [applicationId, now, examined, offset, accounts, recipients, perApplication]
    })
  )
  return rows.map((row) => ({
    id: row.id,
    applicationId: row.application_id,
    account: row.account,
    recipientId: row.recipient_id,
  }))
}

/** The applications that have more due sends than come before the part. */
export async function readExistingParts(
  parts: Omit<Part, 'except'>[],
  now: string
): Promise<Set<number>> {
  if (parts.length === 0) return new Set()
  const exists = `select application_id from (
    select application_id from pending_sends
    where prepared = true and application_id = ? and due_at <= ?
    order by due_at limit 1 offset ?
  ) as part`
  const rows = await selectRows<Pick<Row, 'application_id'>>(
    db,
    parts.map(() => exists).join(' union all '),
    parts.flatMap(({ applicationId, offset }) => [applicationId, now, offset])
  )
  return new Set(rows.map((row) => row.application_id))
}

interface Row {
  id: number
  application_id: number
  account: string
  recipient_id: number
}
