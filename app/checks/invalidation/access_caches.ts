import type { AccessScope } from '#core/events/access_changed'
import { accountBindings } from '#app/profiles/actions/resolve_account_state'
import { decisions } from '#app/checks/decisions'

interface AccessCache {
  invalidate(scopes: AccessScope[]): void
}

const caches: AccessCache[] = [decisions, accountBindings]

/** What this process remembers about access, and drops when it changes. */
export const accessCaches = {
  /** For caches of sections above this one. */
  add<Cache extends AccessCache>(cache: Cache): Cache {
    caches.push(cache)
    return cache
  },

  invalidate(scopes: AccessScope[]) {
    for (const cache of caches) cache.invalidate(scopes)
  },
}
