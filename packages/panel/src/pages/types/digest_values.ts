import type { NotificationType, TypeChanges } from '@/queries/notification_types'

export const INTERVALS = ['hourly', 'daily', 'weekly'] as const
export type Interval = (typeof INTERVALS)[number]

/** What is in the fields of a type's digests. Without an interval, there are none. */
export interface DigestValues {
  allowed: Interval[]
  default: Interval | 'off'
  /** Empty for the built-in one. */
  templateKey: string
}

export const digestFieldsOf = ({ digest }: NotificationType): DigestValues => ({
  allowed: INTERVALS.filter((one) => digest?.allowed.includes(one)),
  default: digest?.default ?? 'off',
  templateKey: digest?.templateKey ?? '',
})

export function digestBodyOf(values: DigestValues): TypeChanges['digest'] {
  if (values.allowed.length === 0) return null
  return {
    allowed: [...values.allowed],
    default: values.default,
    templateKey: values.templateKey || null,
  }
}
