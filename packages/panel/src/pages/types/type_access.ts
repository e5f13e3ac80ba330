import { type Ref, computed } from 'vue'
import type { NotificationType } from '@/queries/notification_types'
import { useSession } from '@/session/session'

/** Every application has it. */
const GENERIC = 'generic'

/** Whether to offer changes of a type, its templates and their texts. The service decides. */
export function useTypeAccess(appCode: string, type: Ref<NotificationType | undefined>) {
  const { canEdit, isGlobalAdmin } = useSession()
  return computed(() => {
    if (!type.value || !canEdit(appCode)) return false
    return !type.value.system || isGlobalAdmin.value
  })
}

/** Whether a type can be deleted at all. */
export const mayDelete = ({ code, system }: NotificationType) => !system && code !== GENERIC
