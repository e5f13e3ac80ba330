import type { Attention } from '@/queries/attention'
import type { Operations, Process } from '@/queries/operations'

/** Bad needs someone now, and odd needs a look. Unknown is neither. */
export type Health = 'good' | 'odd' | 'bad' | 'unknown'

/** A part of the state, with its texts below `operations.part`. */
export interface Part {
  name:
    | 'ready'
    | 'migrations'
    | 'versions'
    | 'processes'
    | 'smtp'
    | 'provider'
    | 'tokenKeys'
    | 'hook'
    | 'signingKey'
    | 'applicationKeys'
    | 'cache'
  health: Health
  /** Of what is shown as its value. */
  value:
    | { kind: 'text'; text: string }
    | { kind: 'state'; state: 'ok' | 'reachable' | 'unreachable' | 'not_configured' | 'notReady' }
    | { kind: 'time'; at: string | null }
    | { kind: 'percent'; share: number | null }
    | { kind: 'count'; count: number }
  /** What was observed, in the words of the service. */
  detail?: string | null
}

const isOf = (attention: Attention[], ...kinds: Attention['kind'][]) =>
  attention.some(({ kind, appCode }) => appCode === null && kinds.includes(kind))

/** Everything but queues and load. The service says what needs attention, by its own limits. */
export function partsOf(
  state: Operations,
  attention: Attention[],
  /** Why the process that responds is not ready; undefined if that is unknown. */
  notReady: string | null | undefined
): Part[] {
  const { database, processes, smtp, identityProvider, keys, cache } = state
  const running = processes.filter(({ state: one }) => one === 'running')
  const versions = [...new Set(running.map(({ version }) => version))]
  const { pending, latest } = database.migrations
  return [
    {
      name: 'ready',
      health: notReady === undefined ? 'unknown' : notReady === null ? 'good' : 'bad',
      value: { kind: 'state', state: notReady ? 'notReady' : 'ok' },
      detail: notReady,
    },
    {
      name: 'processes',
      health: processes.length > running.length ? 'bad' : 'good',
      value: { kind: 'text', text: `${running.length} / ${processes.length}` },
    },
    {
      name: 'versions',
      health: versions.length > 1 ? 'odd' : 'good',
      value: { kind: 'text', text: versions.join(', ') || state.version },
    },
    {
      name: 'migrations',
      health: isOf(attention, 'migrations_pending') || pending.length > 0 ? 'bad' : 'good',
      value: { kind: 'count', count: pending.length },
      detail: [database.kind, latest].filter(Boolean).join(', '),
    },
    {
      name: 'smtp',
      health: isOf(attention, 'smtp_unreachable', 'smtp_not_configured') ? 'bad' : 'good',
      value: { kind: 'state', state: smtp.status },
      detail: smtp.error,
    },
    {
      name: 'provider',
      health: isOf(attention, 'provider_unreachable') ? 'bad' : 'good',
      value: { kind: 'state', state: identityProvider.status },
      detail: identityProvider.error,
    },
    {
      name: 'tokenKeys',
      health: 'good',
      value: { kind: 'time', at: oldestKeysAt(running) },
    },
    {
      name: 'hook',
      health: isOf(attention, 'provider_mails_not_set_up') ? 'odd' : 'good',
      value: { kind: 'time', at: identityProvider.lastHookCallAt },
    },
    {
      name: 'signingKey',
      health: 'good',
      value: { kind: 'time', at: keys.providerSigningKeyAt },
    },
    {
      name: 'applicationKeys',
      health: 'good',
      value: { kind: 'time', at: keys.oldestApplicationKeyAt },
    },
    { name: 'cache', health: 'good', value: { kind: 'percent', share: cache.hitRate } },
  ]
}

/** Of the process that has not read them for longest. Idle processes need not read them. */
const oldestKeysAt = (running: Process[]) =>
  running.flatMap(({ tokenKeysReadAt }) => tokenKeysReadAt ?? []).sort()[0] ?? null

/** What happens per second, over the last whole minutes. */
export function perSecond(requests: Operations['requests'], figure: 'requests' | 'checks'): number {
  const whole = requests.slice(-6, -1)
  return whole.reduce((sum, minute) => sum + minute[figure], 0) / (60 * Math.max(1, whole.length))
}
