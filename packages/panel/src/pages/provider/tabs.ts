import { computed } from 'vue'
import { useI18n } from 'vue-i18n'
import { useRoute } from 'vue-router'
import { paths } from '@/frame/paths'

/** What there is to see and do about the identity provider. */
export function useProviderTabs() {
  const { t } = useI18n()
  const route = useRoute()
  /** The guide is a tab, whichever of its steps is shown. */
  const toGuide = () =>
    route.path.startsWith(paths.provider('guide')) ? route.path : paths.provider('guide')
  return computed(() =>
    (['status', 'setup', 'organisations', 'reconciliations', 'guide'] as const).map((name) => ({
      label: t(`provider.tab.${name}`),
      to: name === 'guide' ? toGuide() : paths.provider(name),
    }))
  )
}
