import type Application from '#app/applications/models/application'
import { createTemplate, type NewTemplate } from '#app/notifications/actions/create_template'
import { createType, type NewType } from '#app/notifications/actions/create_type'
import { saveVersion, type VersionTexts } from '#app/notifications/actions/save_version'
import { uniqueCode } from '#tests/helpers/people'

export function aType({ code: appCode }: Application, fields: Partial<NewType> = {}) {
  return createType(appCode, { code: uniqueCode('type'), name: 'Order shipped', ...fields })
}

export function aTemplate(
  { code: appCode }: Application,
  { code: typeCode }: { code: string },
  fields: Partial<NewTemplate> = {}
) {
  return createTemplate(appCode, typeCode, { key: 'main', name: 'Main', ...fields })
}

export async function aVersion(
  { id }: { id: number },
  locale: string,
  texts: Partial<VersionTexts> = {}
) {
  const { version } = await saveVersion(id, locale, {
    subjectTemplate: `Hello ${locale}`,
    bodyTemplate: `<p>Hello ${locale}</p>`,
    ...texts,
  })
  return version
}
