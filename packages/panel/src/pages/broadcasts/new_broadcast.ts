import { watch } from 'vue'
import { Problem } from '@/api/problem'
import { randomKey } from '@/api/random_key'
import { parseJsonObject } from '@/files/json_text'
import { toNumber, toTime } from '@/forms/field_values'
import type { Audience, BroadcastContent } from '@/queries/broadcasts'

export const AUDIENCE_KINDS = ['application', 'role', 'emails', 'all'] as const
export type AudienceKind = (typeof AUDIENCE_KINDS)[number]

/** What is in the fields. */
export interface BroadcastValues {
  audience: { kind: AudienceKind; roleCode: string; emails: string }
  type: string
  template: string
  /** Of `data`, as JSON */
  data: string
  locale: string
  start: 'now' | 'later'
  scheduledAt: string
  ratePerSecond: string
}

export const EMPTY: BroadcastValues = {
  audience: { kind: 'application', roleCode: '', emails: '' },
  type: '',
  template: '',
  data: '',
  locale: '',
  start: 'now',
  scheduledAt: '',
  ratePerSecond: '',
}

/** The addresses of a text, between spaces, commas, semicolons or lines. */
export const addressesOf = (text: string) => text.split(/[\s,;]+/).filter((each) => each !== '')

/** Whether a text is a limit, or none. */
export const isRate = (text: string) => /^\d*$/.test(text.trim())

function audienceOf({ kind, roleCode, emails }: BroadcastValues['audience']): Audience {
  if (kind === 'emails') return { kind, emails: addressesOf(emails) }
  return kind === 'role' ? { kind, roleCode } : { kind }
}

/** What the fields ask for. */
export function contentOf(values: BroadcastValues): BroadcastContent {
  const { type, template, data, locale, start, scheduledAt, ratePerSecond } = values
  return {
    type,
    audience: audienceOf(values.audience),
    data: parseJsonObject(data) ?? {},
    ...(template && { template }),
    ...(locale.trim() && { locale: locale.trim() }),
    ...(ratePerSecond.trim() && { ratePerSecond: toNumber(ratePerSecond) }),
    ...(start === 'later' && { scheduledAt: toTime(scheduledAt) }),
  }
}

/** The first address that the service refuses; null if something else is wrong. */
export function refusedAddress(error: unknown, { audience }: BroadcastContent): string | null {
  if (!(error instanceof Problem) || audience.kind !== 'emails') return null
  const [, index] = /^audience\.emails\.(\d+)$/.exec(error.fields[0]?.field ?? '') ?? []
  return index === undefined ? null : (audience.emails[Number(index)] ?? null)
}

function kept<Value>(name: string): Value | null {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? 'null') as Value | null
  } catch {
    return null
  }
}

function keep(name: string, value: object) {
  try {
    sessionStorage.setItem(name, JSON.stringify(value))
  } catch {
    // The browser keeps no more, so it lasts as long as the page.
  }
}

const keyOf = (owner: string, appCode: string) => `concierge-draft:${owner}:broadcast:${appCode}`

/**
 * What is being written, for a reload. It can have addresses and other personal data, so it is kept
 * for its author only, and no longer than the tab.
 *
 * @param owner e-mail address of who is writing
 */
export function useBroadcastDraft(owner: string, appCode: string) {
  const key = keyOf(owner, appCode)

  let request = kept<{ key: string; content: string }>(`${key}:key`)

  function read(): BroadcastValues {
    const values = kept<Partial<BroadcastValues>>(key)
    return { ...EMPTY, ...values, audience: { ...EMPTY.audience, ...values?.audience } }
  }

  /**
   * Names the request, so that a repetition after a lost response sends nothing twice. Another
   * message has another key.
   */
  function requestKey(content: BroadcastContent): string {
    const text = JSON.stringify(content)
    if (request?.content !== text) {
      request = { key: randomKey(), content: text }
      keep(`${key}:key`, request)
    }
    return request.key
  }

  return {
    read,
    requestKey,
    keep: (values: BroadcastValues) => watch(values, () => keep(key, values), { deep: true }),
    forget() {
      request = null
      sessionStorage.removeItem(key)
      sessionStorage.removeItem(`${key}:key`)
    },
  }
}
