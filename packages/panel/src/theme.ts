import { shallowRef, watchEffect } from 'vue'

export const THEMES = ['light', 'dark', 'system'] as const
export type Theme = (typeof THEMES)[number]

const KEY = 'concierge-theme'
const systemIsDark = matchMedia('(prefers-color-scheme: dark)')

export const theme = shallowRef<Theme>((localStorage.getItem(KEY) as Theme | null) ?? 'system')

function apply() {
  const isDark = theme.value === 'dark' || (theme.value === 'system' && systemIsDark.matches)
  document.documentElement.classList.toggle('dark', isDark)
}

systemIsDark.addEventListener('change', apply)
watchEffect(() => {
  apply()
  localStorage.setItem(KEY, theme.value)
})
