import { createApplication } from '#app/applications/actions/create_application'
import { createTemplate } from '#app/notifications/actions/create_template'
import { createType } from '#app/notifications/actions/create_type'
import { saveVersion } from '#app/notifications/actions/save_version'
import Language from '#app/platform/models/language'
import { APPLICATION, LOCALES, TEXTS, TYPE, VARIABLES } from './requests.ts'

/** Makes what the requests name. Runs inside the service. */
export async function makeScene() {
  await createApplication({ code: APPLICATION, name: 'Shop' })
  await createType(APPLICATION, { code: TYPE, name: 'Order shipped', userCanDisable: true })
  const variables = VARIABLES.map((key) => ({ key, label: key, required: true }))
  const template = await createTemplate(APPLICATION, TYPE, { key: 'main', name: 'Main', variables })
  for (const code of LOCALES) {
    await Language.firstOrCreate({ code }, { name: code })
    await saveVersion(template.id, code, TEXTS[code])
  }
}
