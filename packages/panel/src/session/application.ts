import { computed } from 'vue'
import { useRoute } from 'vue-router'

/** The application that the URL names (`/apps/crm/roles`), or null. */
export function useApplicationInUrl() {
  const route = useRoute()
  return computed(() => (route.params.appCode ? String(route.params.appCode) : null))
}

/** The same on screens of an application. */
export function useAppCode() {
  const route = useRoute()
  return computed(() => String(route.params.appCode))
}
