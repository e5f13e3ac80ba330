import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { Page } from '#core/http/paging'
import TemplateRevision from '#app/notifications/models/template_revision'

/** Has the length of the body in place of the body. */
export type ListedRevision = Omit<TemplateRevision, 'bodyTemplate'> & { bodyLength: number }

const LISTED_COLUMNS = TemplateRevision.$columns.filter((name) => name !== 'bodyTemplate')

/** The newest comes first. @returns one more than the page has, if there are more */
export async function revisionsOf(
  templateId: number,
  locale: string,
  page: Page,
  client?: TransactionClientContract
): Promise<ListedRevision[]> {
  const rows = await revisionList(templateId, locale, page, client)
    .select(...LISTED_COLUMNS)
    .select(TemplateRevision.query().client.raw('length(body_template) as body_length'))
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
  return rows.map((row) => Object.assign(row, { bodyLength: Number(row.$extras.body_length) }))
}

export function revisionList(
  templateId: number,
  locale: string,
  { after }: Page,
  client?: TransactionClientContract
) {
  return TemplateRevision.ofVersion(templateId, locale, client).if(after, (query) =>
    query.where('id', '<', after!)
  )
}
