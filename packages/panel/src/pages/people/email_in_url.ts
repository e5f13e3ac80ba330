import { computed } from 'vue'
import { useRoute } from 'vue-router'

/** The person whom the URL names (`/people/alan@acme.example`). */
export function useEmailInUrl() {
  const route = useRoute()
  return computed(() => String(route.params.email))
}
