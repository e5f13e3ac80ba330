import { CachedResolver } from '#app/checks/resolvers/cached_resolver'
import { DatabaseResolver } from '#app/checks/resolvers/database_resolver'

/** The decision cache of this process (checks.md#decision-cache). */
export const decisions = new CachedResolver(new DatabaseResolver())
