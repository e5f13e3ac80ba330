import { useQueryClient } from '@tanstack/vue-query'
import { type Entity, fetchResources } from '@/queries/entities'
import { findResources } from '@/queries/resources'
import type { Option } from '@/ui/Combobox.vue'

const SHOWN = 30
const STALE_MS = 30_000

/**
 * Finds resources by a part of their id or label: first those of the catalog, then those that the
 * application lists. If the application does not answer, those of the catalog are enough.
 */
export function useFindResources(appCode: string) {
  const queries = useQueryClient()

  async function listed({ code }: Entity, text: string): Promise<Option[]> {
    const wanted = text.toLowerCase()
    const items = await queries.fetchQuery({
      queryKey: ['resources', appCode, code],
      staleTime: STALE_MS,
      retry: false,
      queryFn: ({ signal }) => fetchResources(appCode, code, signal),
    })
    return items
      .filter(({ id, label }) => `${id} ${label}`.toLowerCase().includes(wanted))
      .map(({ id, label }) => ({ value: id, label: label || id, hint: id }))
  }

  return async (entity: Entity, text: string, signal: AbortSignal): Promise<Option[]> => {
    const bounds = { search: text, limit: SHOWN }
    const found = await findResources({ appCode, id: entity.id }, bounds, signal)
    const options = found.map(({ resourceId, label }) => ({
      value: resourceId,
      label: label ?? resourceId,
      hint: resourceId,
    }))
    if (!entity.listEndpoint || options.length === SHOWN) return options
    try {
      const known = new Set(options.map(({ value }) => value))
      const others = await listed(entity, text)
      return [...options, ...others.filter(({ value }) => !known.has(value))].slice(0, SHOWN)
    } catch (error) {
      if (options.length > 0) return options
      throw error
    }
  }
}
