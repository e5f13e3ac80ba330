const MARGIN = 8

/** Below the bell and within the window; the style sheet lets it fill narrow ones. */
export function placePanel(panel: HTMLElement, bell: HTMLElement) {
  const { bottom, left, right } = bell.getBoundingClientRect()
  const { clientWidth, clientHeight } = document.documentElement
  const width = panel.offsetWidth
  const start = left + width <= clientWidth - MARGIN ? left : right - width
  const most = clientWidth - width - MARGIN
  const top = Math.min(bottom + MARGIN, clientHeight / 2)
  panel.style.setProperty('--_left', `${Math.max(MARGIN, Math.min(start, most))}px`)
  panel.style.setProperty('--_top', `${Math.max(MARGIN, top)}px`)
}
