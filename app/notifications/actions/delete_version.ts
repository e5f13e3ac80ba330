import { findVersion } from '#app/notifications/actions/find_version'

/** @throws TemplateNotFound, TemplateVersionNotFound */
export async function deleteVersion(templateId: number, locale: string) {
  const version = await findVersion(templateId, locale)
  await version.delete()
}
