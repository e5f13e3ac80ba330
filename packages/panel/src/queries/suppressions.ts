import type { components } from '@concierge/client'
import type { MaybeRefOrGetter } from 'vue'
import { toValue } from 'vue'
import { type Api, api } from '@/api/client'
import { conciergeCommand, option } from '@/api/commands'
import { usePagedQuery } from '@/api/paged'
import { useChange } from '@/queries/use_change'

export type Suppression = components['schemas']['Suppression']
export type SuppressionReason = Suppression['reason']
export type Bounce = components['schemas']['MailBounce']
export type BounceKind = Bounce['kind']

export const REASONS = [
  'hard_bounce',
  'soft_bounces',
  'complaint',
  'manual',
] as const satisfies SuppressionReason[]
export const KINDS = ['hard', 'soft', 'complaint'] as const satisfies BounceKind[]

const SUPPRESSIONS = '/api/admin/notifications/suppressions'
const BOUNCES = '/api/admin/notifications/bounces'

export const SUPPRESSIONS_KEY = ['suppressions']

/** Addresses that get no mail, the newest first. An empty text does not count. */
export const useSuppressions = (filter: MaybeRefOrGetter<{ email: string; reason: string }>) =>
  usePagedQuery(
    () => [...SUPPRESSIONS_KEY, 'list', toValue(filter)],
    (page, signal) => {
      const { email, reason } = toValue(filter)
      const query = {
        ...page,
        ...(email && { email }),
        ...(reason && { reason: reason as SuppressionReason }),
      }
      return api.GET(SUPPRESSIONS, { params: { query }, signal })
    },
    true,
    { staleTime: 0 }
  )

/** Mails that came back or were reported as spam, the newest first. */
export const useBounces = (filter: MaybeRefOrGetter<{ email: string; kind: string }>) =>
  usePagedQuery(
    () => [...SUPPRESSIONS_KEY, 'bounces', toValue(filter)],
    (page, signal) => {
      const { email, kind } = toValue(filter)
      const query = { ...page, ...(email && { email }), ...(kind && { kind: kind as BounceKind }) }
      return api.GET(BOUNCES, { params: { query }, signal })
    },
    true,
    { staleTime: 0 }
  )

export interface SuppressionFields {
  email: string
  reason: SuppressionReason
  note: string | null
}

export const addSuppression = (target: Api, body: SuppressionFields) =>
  target.POST(SUPPRESSIONS, { body })

/** Lets an address get mail again. */
export const useRemoval = (done: () => string, onSuccess: () => unknown) =>
  useChange(
    (target, email: string) =>
      target.DELETE(`${SUPPRESSIONS}/{email}`, { params: { path: { email } } }),
    { refresh: [SUPPRESSIONS_KEY], done, onSuccess }
  )

conciergeCommand('POST', SUPPRESSIONS, (_, { email, reason, note }) => [
  'suppressions',
  'add',
  String(email),
  ...option('cause', reason === 'manual' ? null : reason),
  ...option('note', note),
])
conciergeCommand('DELETE', `${SUPPRESSIONS}/:email`, ([email]) => ['suppressions', 'remove', email])
