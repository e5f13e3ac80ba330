import type { FoundResources } from '#app/checks/actions/search_resources'
import type { EffectivePermission } from '#app/checks/actions/list_effective_permissions'
import type { FoundPage } from '#app/checks/actions/search_candidates'
import type { Decision } from '#app/checks/values/decision'
import type { Finding, Pending } from '#app/checks/values/finding'

export function subjectPage({ found, nextCursor, total }: FoundPage<{ key: string }>) {
  return {
    results: allowed(found, ({ item }) => ({ email: item.key })),
    conditional: conditional(found, ({ item }) => ({ email: item.key })),
    nextCursor,
    total,
  }
}

export function resourcePage({ everywhere, found, nextCursor, total }: FoundResources) {
  const named = ({ item }: FoundResources['found'][number]) => ({
    resourceId: item.key,
    label: item.label,
  })
  return {
    everywhere,
    results: allowed(found, named),
    except: everywhere ? found.filter((each) => !each.allowed).map(({ item }) => item.key) : [],
    conditional: conditional(found, named),
    nextCursor,
    total,
  }
}

/** All of them, because an application has a limited number of permissions. */
export function permissionPage(found: EffectivePermission[]) {
  const results = allowed(found, ({ permission }) => ({ code: permission.code }))
  return {
    results,
    conditional: conditional(found, ({ permission }) => ({ code: permission.code })),
    nextCursor: null,
    total: results.length,
  }
}

function allowed<Each extends Finding, Name>(found: Each[], name: (each: Each) => Name) {
  return found
    .filter((each) => each.allowed)
    .map((each) => ({ ...name(each), ...grant(each.decision) }))
}

function conditional<Each extends Finding, Name>(found: Each[], name: (each: Each) => Name) {
  return found.flatMap((each) =>
    each.pending ? [{ ...name(each), ...pendingGrant(each.pending) }] : []
  )
}

function grant({ level, source }: Decision) {
  return { accessLevel: level!, source: source! }
}

function pendingGrant({ decision, condition, missing }: Pending) {
  return { ...grant(decision), conditional: true as const, condition, missing }
}
