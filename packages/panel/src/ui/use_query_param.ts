import { computed } from 'vue'
import { useRoute, useRouter } from 'vue-router'

/**
 * A part of the screen's state that is in the URL, so that it survives a reload, a link and signing
 * in again. An empty text takes it out of the URL.
 */
export function useQueryParam(name: string) {
  const route = useRoute()
  const router = useRouter()
  return computed({
    get: () => String(route.query[name] ?? ''),
    set(value) {
      const query = { ...route.query, [name]: value || undefined }
      void router.replace({ query })
    },
  })
}

/** Whether something is open, such as a form, in the same way: `?new=1`. */
export function useQueryFlag(name: string) {
  const param = useQueryParam(name)
  return computed({
    get: () => param.value !== '',
    set: (value) => (param.value = value ? '1' : ''),
  })
}
