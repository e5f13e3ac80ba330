import type { AuditState } from '#core/audit/change'
import type Resource from '#app/applications/models/resource'

/** For the audit trail, by the id of the resource. */
export function resourcesState(resources: Resource[]): AuditState {
  return Object.fromEntries(
    resources.map(({ resourceId, label, properties }) => [resourceId, { label, properties }])
  )
}
