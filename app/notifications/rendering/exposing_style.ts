import { styleReadings } from '#app/notifications/rendering/style_readings'

/** What makes a reader load something; `url(#…)` stays within the mail. */
const LOADS =
  /@import|@font-face|(?:url|src|image|image-set|cross-fade|filter)\s*\((?!\s*["']?#)|progid:|alphaimageloader/i
/** Only attribute selectors name it: they can tell what stands in a link. */
const READS_LINKS = /href/i

const PLACEHOLDER = /\{\{\s*([^{}]*?)\s*\}\}/g
/** The service makes sure that these are colours. A word such as `url` could be one. */
const COLORS = new Set(['brandColor', 'brandTextColor'])
const MAY_STAND_BEFORE = /[\s:;,(]/
const MAY_STAND_AFTER = /[\s:;,)!}"']/

/** Whether a style beside a secret could load something, which may tell another host what the secret is. */
export function isExposingStyle(css: string): boolean {
  const isSuspect = (reading: string) => LOADS.test(reading) || READS_LINKS.test(reading)
  return styleReadings(css).some(isSuspect) || takesLooseValue(css)
}

/** Whether a value could become part of a function's or a rule's name. */
function takesLooseValue(css: string) {
  for (const { 0: placeholder, 1: name, index } of css.matchAll(PLACEHOLDER)) {
    const before = css[index - 1] ?? ' '
    const after = css[index + placeholder.length] ?? ' '
    const isApart = MAY_STAND_BEFORE.test(before) && MAY_STAND_AFTER.test(after)
    if (!COLORS.has(name) || !isApart) return true
  }
  return false
}
