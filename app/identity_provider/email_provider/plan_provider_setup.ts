import {
  type EmailProvider,
  listEmailProviders,
} from '#app/identity_provider/zitadel/email_providers'
import { pollUntil } from '#app/identity_provider/zitadel/poll_until'
import { readKeyInUse } from '#app/identity_provider/email_provider/read_provider_status'
import NotificationProvider from '#app/identity_provider/models/notification_provider'
import { hookEndpoint } from '#app/identity_provider/email_provider/hook_endpoint'

/** What is missing between how things stand and one active provider with its key stored here. */
export interface ProviderPlan {
  /** The provider that stays; null when one has to be made. */
  keep: EmailProvider | null
  /** Change of the endpoint, and of the key, of the one that stays. */
  change: { rotate: boolean } | null
  /** Ids of our providers that another one takes the place of, or whose key was never stored here. */
  remove: string[]
}

/**
 * Compares what is stored here with what the identity provider has; changes nothing.
 *
 * @param rotate whether a new key is wanted, whatever there is
 * @throws as `askProvider` does
 */
export async function planProviderSetup({ rotate }: { rotate: boolean }): Promise<ProviderPlan> {
  const stored = await NotificationProvider.current()
  const storedId = stored?.providerId ?? null
  const key = await readKeyInUse()
  const present = await pollUntil(
    listEmailProviders,
    (all) => storedId === null || all.some(({ id }) => id === storedId)
  )
  const keep = key === null ? null : (present.find(({ id }) => id === storedId) ?? null)
  return {
    keep,
    change: keep && changeOf(keep, key, rotate),
    remove: oursBut(keep, present, storedId),
  }
}

/** Ours are those that post here, and the one that is stored. */
export function oursBut(
  keep: { id: string } | null,
  present: EmailProvider[],
  storedId: string | null
): string[] {
  return present
    .filter(({ id, endpoint }) => id === storedId || endpoint === hookEndpoint)
    .filter(({ id }) => id !== keep?.id)
    .map(({ id }) => id)
}

/** A key that was changed there and never stored here is lost: it takes another one. */
function changeOf({ endpoint, signingKey }: EmailProvider, key: string | null, rotate: boolean) {
  const isLost = signingKey !== null && signingKey !== key
  if (rotate || isLost) return { rotate: true }
  return endpoint === hookEndpoint ? null : { rotate: false }
}
