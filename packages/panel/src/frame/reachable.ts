import { ref } from 'vue'

/** Whether a page could not be loaded, because the service does not answer. */
export const isUnreachable = ref(false)
