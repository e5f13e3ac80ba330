import type { components } from '@concierge/client'
import { type Api, type BodyOf, api } from '@/api/client'
import { usePagedQuery } from '@/api/paged'
import { PROVIDER } from '@/queries/provider'

export type Reconciliation = components['schemas']['Reconciliation']

const LIST = '/api/idp/admin/reconciliations'
const WATCH_MS = 2_000

export const RECONCILIATIONS = [...PROVIDER, 'reconciliations']

/** Whether it may still change. */
export const isUnderway = ({ status }: Reconciliation) =>
  status === 'queued' || status === 'running'

/** The runs, the newest first. While one is under way, they are read again. */
export const useReconciliations = () =>
  usePagedQuery<Reconciliation>(
    RECONCILIATIONS,
    ({ limit, cursor }, signal) => api.GET(LIST, { params: { query: { limit, cursor } }, signal }),
    true,
    { staleTime: 0, watchMs: (rows) => (rows.some(isUnderway) ? WATCH_MS : null) }
  )

export const startReconciliation = (
  target: Api,
  body: BodyOf<'identity_provider_admin.reconciliations.store'>
) => target.POST(LIST, { body })
