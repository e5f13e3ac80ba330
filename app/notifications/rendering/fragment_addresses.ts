import { escapeHtml } from '#app/notifications/rendering/escape'
import type { Slot } from '#app/notifications/rendering/render'

/** Browsers resolve other addresses against the page, even those with a scheme but no slashes. */
export const isAbsolute = {
  href: (address: string) => /^(?:https?:\/\/|mailto:|tel:|sms:)/i.test(address),
  src: (address: string) => /^https:\/\//i.test(address),
}

/** What follows a value that is refused must not become an address of the page's origin. */
const NOWHERE = 'about:invalid'

const ESCAPES = { href: escapesOf(isAbsolute.href), src: escapesOf(isAbsolute.src) }
const BEGINS_ADDRESS = / (href|src)="$/

/** For a placeholder of a safe fragment that an address begins with; null for others. */
export function addressEscape(fragment: string, start: number): Slot['escape'] | null {
  const [, attribute] = BEGINS_ADDRESS.exec(fragment.slice(Math.max(0, start - 8), start)) ?? []
  if (attribute !== 'href' && attribute !== 'src') return null
  const end = fragment.indexOf('}}', start) + 2
  const { whole, beginning } = ESCAPES[attribute]
  return fragment[end] === '"' ? whole : beginning
}

function escapesOf(isAllowed: (address: string) => boolean) {
  const escapeOr = (otherwise: string) => (text: string) => {
    const address = text.trim()
    return isAllowed(address) ? escapeHtml(address) : otherwise
  }
  return { whole: escapeOr(''), beginning: escapeOr(NOWHERE) }
}
