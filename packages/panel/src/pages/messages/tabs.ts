import { computed } from 'vue'
import { useI18n } from 'vue-i18n'
import { paths } from '@/frame/paths'
import { useAppCode } from '@/session/application'

/** The ways to look at the messages of an application. */
export function useMessageTabs() {
  const { t } = useI18n()
  const appCode = useAppCode()
  return computed(() => [
    { label: t('messages.list'), to: paths.messages(appCode.value) },
    { label: t('messages.perDay'), to: paths.messageDays(appCode.value) },
  ])
}
