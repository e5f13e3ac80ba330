import { computed } from 'vue'
import { useI18n } from 'vue-i18n'
import { paths } from '@/frame/paths'

/** The addresses that get no mail, and the mails that came back. */
export function useSuppressionTabs() {
  const { t } = useI18n()
  return computed(() => [
    { label: t('suppressions.addresses'), to: paths.suppressions() },
    { label: t('suppressions.bounces'), to: paths.bounces() },
  ])
}
