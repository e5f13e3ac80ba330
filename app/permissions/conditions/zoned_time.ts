import { LRUCache } from 'lru-cache'
import { charge } from '#app/permissions/conditions/cost'

/** The same whether it is known or not, so that a result never depends on what came before. */
const COST_OF_FORMAT = 2_000

const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 500 })

function formatIn(timeZone: string) {
  charge(COST_OF_FORMAT)
  const known = formats.get(timeZone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formats.set(timeZone, format)
  return format
}

const DAY = 86_400_000

/** The functions of CEL that read a timestamp in a time zone, by name. */
export const ZONED_PARTS: Record<string, (local: Date) => number> = {
  getDate: (local) => local.getUTCDate(),
  getDayOfMonth: (local) => local.getUTCDate() - 1,
  getDayOfWeek: (local) => local.getUTCDay(),
  getDayOfYear: (local) =>
    Math.floor((local.getTime() - Date.UTC(local.getUTCFullYear(), 0, 1)) / DAY),
  getFullYear: (local) => local.getUTCFullYear(),
  getHours: (local) => local.getUTCHours(),
  getMilliseconds: (local) => local.getUTCMilliseconds(),
  getMinutes: (local) => local.getUTCMinutes(),
  getMonth: (local) => local.getUTCMonth(),
  getSeconds: (local) => local.getUTCSeconds(),
}

/**
 * A date whose UTC fields are what a clock in the time zone shows.
 *
 * @throws RangeError for an unknown time zone
 */
export function inTimeZone(date: Date, timeZone: string): Date {
  const parts = formatIn(timeZone).formatToParts(date)
  const read = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((part) => part.type === type)!.value)
  const milliseconds = ((date.getTime() % 1_000) + 1_000) % 1_000
  return new Date(
    Date.UTC(
      read('year'),
      read('month') - 1,
      read('day'),
      read('hour'),
      read('minute'),
      read('second'),
      milliseconds
    )
  )
}

export function isTimeZone(name: string): boolean {
  try {
    formatIn(name)
    return true
  } catch {
    return false
  }
}
