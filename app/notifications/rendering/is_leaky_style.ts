import { styleInterpretations } from '#app/notifications/rendering/style_interpretations'

const LOADS_RESOURCE =
  /@import|@font-face|(?:url|src|image|image-set|cross-fade|filter)\s*\((?!\s*["']?#)|progid:|alphaimageloader/i
// Attribute selectors on `href` can reveal the content of a link.
const READS_LINKS = /href/i

const PLACEHOLDER = /\{\{\s*([^{}]*?)\s*\}\}/g
// The service validates these. Any other value could be a word such as `url`.
const COLORS = new Set(['brandColor', 'brandTextColor'])
const ALLOWED_BEFORE = /[\s:;,(]/
const ALLOWED_AFTER = /[\s:;,)!}"']/

/** Whether a style could load a resource and so reveal a secret in the mail to another host. */
export function isLeakyStyle(css: string): boolean {
  const isSuspect = (reading: string) => LOADS_RESOURCE.test(reading) || READS_LINKS.test(reading)
  return styleInterpretations(css).some(isSuspect) || hasUnsafePlaceholder(css)
}

function hasUnsafePlaceholder(css: string) {
  for (const { 0: placeholder, 1: name, index } of css.matchAll(PLACEHOLDER)) {
    const before = css[index - 1] ?? ' '
    const after = css[index + placeholder.length] ?? ' '
    const isSeparate = ALLOWED_BEFORE.test(before) && ALLOWED_AFTER.test(after)
    if (!COLORS.has(name) || !isSeparate) return true
  }
  return false
}
