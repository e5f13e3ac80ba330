import { DateTime } from 'luxon'
import db from '@adonisjs/lucid/services/db'
import { toDatabaseTimestamp } from '#core/database/columns'
import { usesPostgres } from '#core/database/dialect'
import { utcDay } from '#core/database/utc_day'

export interface ActivityDay {
  /** UTC day, as `YYYY-MM-DD` */
  date: string
  /** Permissions that were checked */
  checks: number
  /** Messages that were handed to a channel, on the day on which they were created */
  deliveries: number
  /** How many of the deliveries failed */
  failures: number
  logins: number
}

type Figure = Exclude<keyof ActivityDay, 'date'>

/** @returns that many days, oldest first; the last one is today */
export async function countActivity(ids: number[], days: number): Promise<ActivityDay[]> {
  const from = DateTime.utc()
    .startOf('day')
    .minus({ days: days - 1 })
  const counts = await Promise.all([
    countChecks(ids, from),
    countDeliveries(ids, from),
    countLogins(ids, from),
  ])
  const byDay = Map.groupBy(counts.flat(), ({ date }) => date)
  return Array.from({ length: days }, (_, index) => {
    const date = from.plus({ days: index }).toISODate()!
    const rows = byDay.get(date) ?? []
    const sum = (figure: Figure) => rows.reduce((total, row) => total + Number(row[figure] ?? 0), 0)
    return {
      date,
      checks: sum('checks'),
      deliveries: sum('deliveries'),
      failures: sum('failures'),
      logins: sum('logins'),
    }
  })
}

/** PostgreSQL returns large numbers as text. */
type Row = { date: string } & Partial<Record<Figure, number | string>>

function countChecks(ids: number[], from: DateTime): Promise<Row[]> {
  const date = usesPostgres() ? `to_char(day, 'YYYY-MM-DD')` : 'day'
  return db
    .from('check_counts')
    .whereIn('application_id', ids)
    .where('day', '>=', from.toISODate()!)
    .select(db.raw(`${date} as date`))
    .sum('count as checks')
    .groupBy('day')
}

function countDeliveries(ids: number[], from: DateTime): Promise<Row[]> {
  const date = utcDay('notifications.created_at')
  return ofApplications('notifications', 'created_at', ids, from)
    .join('deliveries', 'deliveries.notification_id', 'notifications.id')
    .select(db.raw(`${date} as date`))
    .count('* as deliveries')
    .sum(db.raw(`case when deliveries.status = 'failed' then 1 else 0 end`), 'failures')
    .groupByRaw(date)
}

function countLogins(ids: number[], from: DateTime): Promise<Row[]> {
  const date = utcDay('login_records.occurred_at')
  return ofApplications('login_records', 'occurred_at', ids, from)
    .where('login_records.event', 'login')
    .select(db.raw(`${date} as date`))
    .count('* as logins')
    .groupByRaw(date)
}

/** Rows outlive their application. Those of an earlier one with the same code are left out. */
function ofApplications(table: string, moment: string, ids: number[], from: DateTime) {
  return db
    .from(table)
    .join('applications', (join) => {
      join.on('applications.code', `${table}.app_code`)
      join.on('applications.created_at', '<=', `${table}.${moment}`)
    })
    .whereIn('applications.id', ids)
    .where(`${table}.${moment}`, '>=', toDatabaseTimestamp(from))
}
