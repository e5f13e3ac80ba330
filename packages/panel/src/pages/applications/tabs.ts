import { computed } from 'vue'
import { useI18n } from 'vue-i18n'
import { paths } from '@/frame/paths'
import { useAppCode } from '@/session/application'
import { useSession } from '@/session/session'

/** The parts of an application that are not rights or messages. */
export function useApplicationTabs() {
  const { t } = useI18n()
  const { canEdit } = useSession()
  const appCode = useAppCode()
  const tab = (name: 'settings' | 'instances' | 'entities' | 'keys') => ({
    label: t(`application.${name}`),
    to: `${paths.application(appCode.value)}/${name}`,
  })
  return computed(() => [
    { label: t('application.overview'), to: paths.application(appCode.value) },
    tab('settings'),
    tab('instances'),
    tab('entities'),
    // Keys are secrets of the application, so to see them takes the level that changes it.
    ...(canEdit(appCode.value) ? [tab('keys')] : []),
  ])
}
