import type { RouteLocationRaw } from 'vue-router'
import { paths } from '@/frame/paths'
import type { Attention } from '@/queries/attention'

/** The page on which it is resolved, or explained. */
export function linkOf({ kind, appCode }: Attention): RouteLocationRaw | null {
  if (kind === 'provider_mails_not_set_up') return '/provider/setup'
  if (appCode === null) return '/operations'
  const application = paths.application(appCode)
  switch (kind) {
    case 'permissions_unassigned':
      return { path: paths.permissions(appCode), query: { unused: '1' } }
    case 'grants_ending':
      return { path: paths.people(appCode), query: { ending: '1' } }
    case 'instances_unapproved':
      return `${application}/instances`
    case 'deliveries_failed':
      return { path: paths.messages(appCode), query: { status: 'failed' } }
    case 'keys_expired':
    case 'keys_expiring':
      return `${application}/keys`
    default:
      return application
  }
}
