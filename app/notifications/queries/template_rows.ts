import { PreparedQuery } from '#core/database/prepared_query'
import { fromDatabase } from '#core/database/columns'

export interface VersionRow {
  id: number
  locale: string
  /** In milliseconds. */
  updatedAt: number
}

const templatesQuery = new PreparedQuery<Record<string, unknown> & { key: string }>(
  'templates_of_type',
  'select * from notification_templates where notification_type_id = $1 order by id'
)

const versionsQuery = new PreparedQuery<{ id: number; locale: string; updated_at: unknown }>(
  'versions_of_template',
  'select id, locale, updated_at from template_versions where notification_template_id = $1 order by id'
)

const fallbacksQuery = new PreparedQuery<{ code: string; fallback: string | null }>(
  'language_fallbacks',
  'select code, fallback from languages'
)

/** Rows of a type's templates: asked for with every message, hence no models. */
export const templateRows = (typeId: number) => templatesQuery.all([typeId])

/** Which versions a template has, without their texts. */
export async function versionRows(templateId: number): Promise<VersionRow[]> {
  const rows = await versionsQuery.all([templateId])
  return rows.map(({ id, locale, updated_at: updatedAt }) => ({
    id,
    locale,
    updatedAt: fromDatabase(updatedAt)!.toMillis(),
  }))
}

/** The language registry: each code with the one to fall back to. */
export async function languageFallbacks(): Promise<Map<string, string | null>> {
  const rows = await fallbacksQuery.all([])
  return new Map(rows.map(({ code, fallback }) => [code, fallback]))
}
