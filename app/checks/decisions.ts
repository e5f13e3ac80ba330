import { accessCaches } from '#app/checks/invalidation/access_caches'
import { CachedResolver } from '#app/checks/resolvers/cached_resolver'
import { DatabaseResolver } from '#app/checks/resolvers/database_resolver'

/** The decision cache of this process (checks.md#decision-cache). */
export const decisions = accessCaches.add(new CachedResolver(new DatabaseResolver()))
