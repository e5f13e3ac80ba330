import type { components } from '@concierge/client'
import { type QueryKey, useQuery } from '@tanstack/vue-query'

type Rows = components['schemas']['DeletedRows']

/**
 * What a deletion would take, or why there can be none. It is asked for each time.
 *
 * @param key of what would be deleted
 */
export const useDeletion = (
  key: QueryKey,
  send: (query: { dryRun: 'true' }) => Promise<{ data?: { data: { deletes: Rows[] } } }>
) =>
  useQuery({
    queryKey: [...key, 'deletion'],
    staleTime: 0,
    retry: false,
    queryFn: async () => (await send({ dryRun: 'true' })).data!.data.deletes,
  })
