import { paths } from '@/frame/paths'
import type { Change } from '@/queries/changes'

/** Where a person is shown; null for the pseudonym of someone who was erased. */
export const personPath = (email: string) => (email.includes('@') ? paths.person(email) : null)

/** Where what changed is shown; null if it has no page, or none any more. */
export function targetPath(change: Change): string | null {
  const { application, target, before, after } = change
  const { kind, id, label } = target
  if (kind === 'user') return personPath(id)
  const isDeleted = before !== null && after === null
  if (application === null || isDeleted) return null
  switch (kind) {
    case 'application':
      return paths.application(label)
    case 'role':
      return paths.role(application, Number(id))
    case 'permission':
      return paths.permission(application, Number(id))
    case 'broadcast':
      return paths.broadcast(application, Number(id))
    case 'entity':
      return paths.resources(application, Number(id))
    case 'instance':
      return paths.instances(application)
    case 'application_key':
      return paths.keys(application)
    default:
      return null
  }
}
