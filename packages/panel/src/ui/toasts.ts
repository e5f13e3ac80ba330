import { ref } from 'vue'

export interface Toast {
  id: number
  title: string
  isError: boolean
}

export const toasts = ref<Toast[]>([])

let last = 0

/** Shows a short message for a moment. */
export function toast(title: string, isError = false) {
  toasts.value.push({ id: ++last, title, isError })
}

export function removeToast(id: number) {
  toasts.value = toasts.value.filter((one) => one.id !== id)
}
