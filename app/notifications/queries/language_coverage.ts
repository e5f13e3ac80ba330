import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { Page } from '#core/http/paging'
import NotificationTemplate from '#app/notifications/models/notification_template'
import NotificationType from '#app/notifications/models/notification_type'

export interface TypeCoverage {
  id: number
  type: NotificationType
  templates: number
  /** How many of the templates have a version in a language, by its code. */
  versions: Map<string, number>
}

interface VersionCount {
  type_id: number
  locale: string
  versions: number | string
}

/** Types with a template, by id, and one more than the page holds. */
export function coveredTypes(
  applicationIds: number[],
  page: Page,
  client?: TransactionClientContract
) {
  return NotificationType.query({ client })
    .whereIn('applicationId', applicationIds)
    .whereHas('templates', (templates) => templates)
    .if(page.after, (query) => query.where('id', '>', page.after!))
    .orderBy('id')
    .limit(page.limit + 1)
}

/** Returns one more than the page holds. */
export async function readLanguageCoverage(
  applicationIds: number[],
  page: Page,
  client?: TransactionClientContract
): Promise<TypeCoverage[]> {
  const types = await coveredTypes(applicationIds, page, client)
    .preload('application')
    .withCount('templates')
  const counts = await countVersions(
    types.map(({ id }) => id),
    client
  )
  const byType = Map.groupBy(counts, ({ type_id: id }) => id)
  return types.map((type) => ({
    id: type.id,
    type,
    templates: Number(type.$extras.templates_count),
    versions: new Map(
      (byType.get(type.id) ?? []).map(({ locale, versions }) => [locale, Number(versions)])
    ),
  }))
}

function countVersions(
  typeIds: number[],
  client: QueryClientContract = db.connection()
): Promise<VersionCount[]> {
  return client
    .from('template_versions')
    .join(
      NotificationTemplate.table,
      'notification_templates.id',
      'template_versions.notification_template_id'
    )
    .whereIn('notification_templates.notification_type_id', typeIds)
    .select('notification_templates.notification_type_id as type_id', 'template_versions.locale')
    .count('* as versions')
    .groupBy('notification_templates.notification_type_id', 'template_versions.locale')
    .orderBy('template_versions.locale')
}
