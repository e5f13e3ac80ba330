import { Problem } from '@/api/problem'
import type { ProviderStatus, SetupPreview, SetupStep } from '@/queries/provider'

export const STEPS = [
  'reachable',
  'account',
  'key',
  'accepted',
  'permissions',
  'registered',
  'active',
  'called',
] as const

/** Waiting is what cannot be known before the steps above it are well. */
export type Health = 'good' | 'bad' | 'odd' | 'waiting' | 'loading'

/** A step on the way to a provider that works, with its texts below `provider.step`. */
export interface Step {
  name: (typeof STEPS)[number]
  health: Health
  /** What was observed, in the words of the service. */
  detail?: string | null
  /** When it last happened. */
  at?: string | null
}

interface Observed {
  status: ProviderStatus
  /** Undefined while it is asked. */
  health: { url: string | null } | undefined
  preview: SetupPreview | undefined
  /** Why there is no preview. */
  previewError: Error | null
}

const REGISTERS: SetupStep['action'][] = ['add', 'change_endpoint', 'rotate_key']

const healthOf = (isGood: boolean): Health => (isGood ? 'good' : 'bad')

/** Whether the service can ask the provider at all. */
export const canAsk = (status: ProviderStatus | undefined): boolean =>
  (status?.serviceAccountConfigured ?? false) && (status?.encryptionKeyConfigured ?? false)

/** What is well, and what is not yet. The service says what a setup would still change. */
export function stepsOf({ status, health, preview, previewError }: Observed): Step[] {
  const missing = preview?.permissions.filter(({ granted }) => !granted) ?? []
  const refused = previewError instanceof Problem ? previewError : null
  /** Of what only the preview tells. */
  const unknown: Health = canAsk(status) && !previewError ? 'loading' : 'waiting'
  const known = (isGood: boolean) => (preview ? healthOf(isGood) : unknown)
  const isReadable = !missing.some(({ permission }) => permission === 'iam.read')
  const does = (...actions: SetupStep['action'][]) =>
    preview?.steps.some(({ action }) => actions.includes(action)) ?? false
  const isRegistered = status.configured && !does(...REGISTERS)
  const later = (isGood: boolean): Health => (isReadable ? known(isGood) : 'waiting')
  return [
    {
      name: 'reachable',
      health: health ? healthOf(health.url !== null) : 'loading',
      detail: health?.url,
    },
    { name: 'account', health: healthOf(status.serviceAccountConfigured) },
    { name: 'key', health: healthOf(status.encryptionKeyConfigured) },
    {
      name: 'accepted',
      health: refused ? 'bad' : known(true),
      detail: refused?.message,
    },
    {
      name: 'permissions',
      health: known(missing.length === 0),
      detail: missing.map(({ permission }) => permission).join(', ') || null,
    },
    { name: 'registered', health: later(isRegistered), detail: status.endpoint },
    { name: 'active', health: isRegistered ? later(!does('activate')) : 'waiting' },
    {
      name: 'called',
      health: status.lastHookCallAt ? 'good' : status.configured ? 'odd' : 'waiting',
      at: status.lastHookCallAt,
    },
  ]
}
