import { useEventListener } from '@vueuse/core'

const GO_MS = 1_000

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))

/** The keys of `KeyboardHelp.vue`. Those without Ctrl are ignored where someone types. */
export function useShortcuts(actions: {
  openPalette: () => void
  openHelp: () => void
  goHome: () => void
}) {
  let pressedG = 0
  useEventListener('keydown', (event) => {
    if (event.key === 'k' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      return actions.openPalette()
    }
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
    if (!isPlain || isTyping(event.target) || document.querySelector('[role$=dialog]')) return
    if (event.key === '?') actions.openHelp()
    else if (event.key === '/') focusSearch(event)
    else if (event.key === 'h' && event.timeStamp - pressedG < GO_MS) actions.goHome()
    pressedG = event.key === 'g' ? event.timeStamp : 0
  })
}

function focusSearch(event: KeyboardEvent) {
  const box = document.querySelector<HTMLElement>('main input[type=search]')
  if (!box) return
  event.preventDefault()
  box.focus()
}
