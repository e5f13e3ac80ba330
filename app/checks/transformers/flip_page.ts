import type { FlipPage } from '#app/checks/actions/preview_flips'
import type { Decision } from '#app/checks/values/decision'
import type { Flip } from '#app/checks/previews/flip_collector'

export function flipPage({ total, gained, lost, conditional, flips, nextCursor }: FlipPage) {
  return { total, gained, lost, conditional, flips: flips.map(flipResource), nextCursor }
}

function flipResource({ email, permission, resource, verdict }: Flip) {
  const { before, after, pending } = verdict
  return {
    email,
    permission,
    resourceType: resource && resource.type,
    resourceId: resource && resource.id,
    before: held(before),
    after: held(after),
    ...(pending && { conditional: true as const, ...pending }),
  }
}

const held = ({ level, source }: Decision) => ({ level, source })
