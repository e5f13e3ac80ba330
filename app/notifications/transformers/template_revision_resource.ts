import { isoTimestamp } from '#core/values/iso_timestamp'
import type TemplateRevision from '#app/notifications/models/template_revision'
import type { ListedRevision } from '#app/notifications/queries/revision_list'

/** See notifications.md#revisions. */
export function listedRevisionResource(revision: ListedRevision) {
  return { ...fieldsOf(revision), bodyLength: revision.bodyLength }
}

export function templateRevisionResource(revision: TemplateRevision) {
  const { bodyTemplate } = revision
  // Code points, like the SQL function of the list.
  const bodyLength = Array.from(bodyTemplate).length
  return { ...fieldsOf(revision), bodyLength, bodyTemplate }
}

function fieldsOf(revision: Omit<TemplateRevision, 'bodyTemplate'>) {
  const { actorKind, actorEmail, actorName } = revision
  return {
    revision: revision.revision,
    subjectTemplate: revision.subjectTemplate,
    restoredFrom: revision.restoredFrom,
    savedBy: actorKind && { kind: actorKind, email: actorEmail, name: actorName },
    savedAt: isoTimestamp(revision.createdAt),
  }
}
