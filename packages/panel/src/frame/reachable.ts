import { ref } from 'vue'

/** Whether a page, or a part of one, could not be loaded, because the service does not answer. */
export const isUnreachable = ref(false)

/** Whether an error means that a file of the panel could not be loaded. */
export const isLoadFailure = (error: unknown) =>
  /dynamically imported module|importing a module script/i.test(String(error))
