import {
  type EmailProvider,
  listEmailProviders,
} from '#app/identity_provider/zitadel/email_providers'
import { pollUntil } from '#app/identity_provider/zitadel/poll_until'
import { readCurrentKey } from '#app/identity_provider/email_provider/read_provider_status'
import NotificationProvider from '#app/identity_provider/models/notification_provider'
import { hookEndpoint } from '#app/identity_provider/email_provider/hook_endpoint'

/** The steps from the current state to one active provider whose key is stored here. */
export interface ProviderPlan {
  keep: EmailProvider | null
  /** The change to apply to `keep`; null if there is none. */
  change: { rotate: boolean } | null
  /** Ids of our other providers, which are superseded or whose key was never stored here. */
  remove: string[]
  /** The active provider that others set up, which the activation deactivates. */
  replaces: EmailProvider | null
}

/**
 * Compares what is stored here with the identity provider. Changes nothing.
 * @throws as `callProvider` does
 */
export async function planProviderSetup({ rotate }: { rotate: boolean }): Promise<ProviderPlan> {
  const stored = await NotificationProvider.current()
  const storedId = stored?.providerId ?? null
  const key = await readCurrentKey()
  const present = await pollUntil(
    listEmailProviders,
    (all) => storedId === null || all.some(({ id }) => id === storedId)
  )
  const keep = key === null ? null : (present.find(({ id }) => id === storedId) ?? null)
  const remove = obsoleteProviderIds(keep, present, storedId)
  const isOther = ({ id }: EmailProvider) => id !== keep?.id && !remove.includes(id)
  return {
    keep,
    change: keep && changeOf(keep, key, rotate),
    remove,
    replaces: present.find((one) => one.isActive && isOther(one)) ?? null,
  }
}

/** Ours are the providers that post to this service and the one stored here. */
export function obsoleteProviderIds(
  keep: { id: string } | null,
  present: EmailProvider[],
  storedId: string | null
): string[] {
  return present
    .filter(({ id, endpoint }) => id === storedId || endpoint === hookEndpoint)
    .filter(({ id }) => id !== keep?.id)
    .map(({ id }) => id)
}

/** A key that was changed there but never stored here is lost and must be replaced. */
function changeOf({ endpoint, signingKey }: EmailProvider, key: string | null, rotate: boolean) {
  const isStale = signingKey !== null && signingKey !== key
  if (rotate || isStale) return { rotate: true }
  return endpoint === hookEndpoint ? null : { rotate: false }
}
