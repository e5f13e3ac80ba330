import type { AccessScope } from '#core/events/access_changed'
import { accountBindings } from '#app/profiles/actions/resolve_account_state'

interface AccessCache {
  invalidate(scopes: AccessScope[]): void
}

const caches: AccessCache[] = [accountBindings]

/** What this process remembers about access, and drops when it changes. */
export const accessCaches = {
  /** For caches of this section and of those above it. */
  add<Cache extends AccessCache>(cache: Cache): Cache {
    caches.push(cache)
    return cache
  },

  invalidate(scopes: AccessScope[]) {
    for (const cache of caches) cache.invalidate(scopes)
  },
}
