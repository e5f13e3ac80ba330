import { CachedResolver } from '#app/checks/resolvers/cached_resolver'
import { DatabaseResolver } from '#app/checks/resolvers/database_resolver'

/**
 * This process's resolver chain: the cache of checks.md#decision-cache in front of the database. Everything that decides
 * about permissions on a hot path asks here.
 */
export const decisions = new CachedResolver(new DatabaseResolver())
