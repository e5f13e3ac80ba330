import { refDebounced } from '@vueuse/core'
import { type MaybeRefOrGetter, computed, toValue } from 'vue'
import { type CellKey, type Levels, bounded, cellKey, linesOf } from '@/pages/matrix/cells'
import type { Draft } from '@/pages/matrix/draft'
import type { StoredMatrix } from '@/queries/matrix'
import { useQueryParam } from '@/ui/use_query_param'

interface Named {
  code: string
  name: string | null
}

const contains = ({ code, name }: Named, text: string) =>
  `${code} ${name ?? ''}`.toLowerCase().includes(text.trim().toLowerCase())

/**
 * Which roles and permissions are shown. It is in the URL: `?search=` for permissions, `?roles=`
 * for roles, and `?compare=1,2` for two roles, with only what differs between them.
 */
export function useFilter(
  matrix: MaybeRefOrGetter<StoredMatrix | undefined>,
  stored: MaybeRefOrGetter<Levels>,
  draft: Draft
) {
  const search = useQueryParam('search')
  const roleSearch = useQueryParam('roles')
  const compare = useQueryParam('compare')
  const wanted = refDebounced(search, 150)
  const wantedRoles = refDebounced(roleSearch, 150)

  /** The two roles that are compared, or null. */
  const compared = computed(() => {
    const ids = compare.value.split(',').map(Number)
    const roles = ids.flatMap((id) => toValue(matrix)?.roles.find((role) => role.id === id) ?? [])
    return roles.length === 2 ? roles : null
  })
  const roles = computed(() => {
    if (compared.value) return compared.value
    const all = toValue(matrix)?.roles ?? []
    return all.filter((role) => contains(role, wantedRoles.value))
  })
  const permissions = computed(() => {
    const all = toValue(matrix)?.permissions ?? []
    const found = all.filter((permission) => contains(permission, wanted.value))
    if (!compared.value) return found
    const [first, second] = compared.value
    return found.filter(({ id }) => {
      const keys: CellKey[] = [cellKey(first!.id, id), cellKey(second!.id, id)]
      const [one, other] = keys.map((key) => toValue(stored).get(key))
      // A row stays while it is being changed.
      return one !== other || keys.some((key) => draft.cells.has(key))
    })
  })
  const shown = computed(() => {
    const { roles: some, permissions: few, isCut } = bounded(roles.value, permissions.value)
    return { roles: some, lines: linesOf(few), isCut }
  })
  return { search, roleSearch, compare, compared, shown }
}
