import { type DateTime } from 'luxon'
import { isDeepStrictEqual } from 'node:util'
import { canonicalTimeZone } from '#core/values/time_zone'

export const DIGEST_FREQUENCIES = ['hourly', 'daily', 'weekly'] as const
export const DIGEST_CHOICES = ['off', ...DIGEST_FREQUENCIES] as const

export type DigestFrequency = (typeof DIGEST_FREQUENCIES)[number]
/** With `off`, each mail is sent immediately. */
export type DigestChoice = (typeof DIGEST_CHOICES)[number]

/** The digests that a type offers (digests.md#digests-of-a-type). */
export interface TypeDigest {
  allowed: DigestFrequency[]
  /** For users who have not chosen */
  default: DigestChoice
  /** Null for the built-in template */
  templateKey: string | null
}

interface DigestedType {
  system: boolean
  userCanDisable: boolean
  digest: TypeDigest | null
}

/** On the user's clock. */
const DAILY_HOUR = 8

export const digestChoicesOf = ({ digest }: Pick<DigestedType, 'digest'>): DigestChoice[] =>
  DIGEST_CHOICES.filter((choice) => choice === 'off' || digest?.allowed.includes(choice))

/** What a user gets: their choice, unless the type does not allow it or is locked. */
export function digestOf(type: DigestedType, own: DigestChoice | null): DigestChoice {
  if (!type.digest || type.system) return 'off'
  const isUsable = own !== null && type.userCanDisable && digestChoicesOf(type).includes(own)
  return isUsable ? own : type.digest.default
}

/**
 * When the next digest is due: at the next full hour, at 8:00, or on Monday at 8:00, on the clock
 * of the time zone (digests.md#due-times).
 */
export function nextDigestAt(
  frequency: DigestFrequency,
  timeZone: string,
  now: DateTime
): DateTime {
  const zoned = now.setZone(canonicalTimeZone(timeZone))
  const local = zoned.isValid ? zoned : now.toUTC()
  if (frequency === 'hourly') return nextFullHour(local).toUTC()
  const atEight = (day: DateTime) => day.startOf('day').set({ hour: DAILY_HOUR })
  const first = frequency === 'weekly' ? local.startOf('week') : local
  const step = frequency === 'weekly' ? { weeks: 1 } : { days: 1 }
  const candidates = [first, first.plus(step), first.plus(step).plus(step)].map(atEight)
  return candidates.find((candidate) => candidate > local)!.toUTC()
}

function nextFullHour(local: DateTime): DateTime {
  const next = local.startOf('minute').plus({ minutes: 60 - local.minute })
  // The clock has changed by half an hour meanwhile.
  return next.minute === 0 ? next : nextFullHour(next)
}

type GivenDigest = Pick<TypeDigest, 'allowed'> & Partial<TypeDigest>

/** With the defaults of what was left out, and in one order. */
export function completeDigest(given: GivenDigest): TypeDigest {
  const allowed = DIGEST_FREQUENCIES.filter((frequency) => given.allowed.includes(frequency))
  return { allowed, default: given.default ?? 'off', templateKey: given.templateKey ?? null }
}

/** The fields of a request, with a complete digest if they have one. */
export function withCompleteDigest<Fields extends { digest?: GivenDigest | null }>({
  digest: given,
  ...fields
}: Fields) {
  return { ...fields, ...(given !== undefined && { digest: given && completeDigest(given) }) }
}

export const isSameDigest = (one: TypeDigest | null, other: TypeDigest | null) =>
  isDeepStrictEqual(one, other)
