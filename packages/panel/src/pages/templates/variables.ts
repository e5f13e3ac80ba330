import { computed } from 'vue'
import { useI18n } from 'vue-i18n'
import type { TemplateVariable } from '@/queries/templates'
import type { Variable } from '@/ui/CodeEditor.vue'

/** What the service fills in by itself, with texts of the same names. */
const OF_SERVICE = [
  'userName',
  'userEmail',
  'appName',
  'orgName',
  'currentYear',
  'brandColor',
  'brandTextColor',
] as const

/** What the editor suggests: declared variables, those of the service, and those of the data. */
export function useVariables(
  declared: () => TemplateVariable[],
  data: () => Record<string, unknown> | null
) {
  const { t } = useI18n()
  return computed((): Variable[] => {
    const known: Variable[] = [
      ...declared().map(({ key, required }) => ({
        name: key,
        help: t(required ? 'templates.isRequired' : 'templates.isOptional'),
      })),
      ...OF_SERVICE.map((name) => ({ name, help: t(`templates.service.${name}`) })),
    ]
    // `order` is there as `order.number`.
    const names = new Set(known.map(({ name }) => name.split('.')[0]))
    const inData = Object.keys(data() ?? {}).filter((name) => !names.has(name))
    return [...known, ...inData.map((name) => ({ name, help: t('templates.inData') }))]
  })
}
