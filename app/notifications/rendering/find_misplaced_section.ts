import { htmlRegions } from '#app/notifications/rendering/html_regions'
import {
  type Placeholder,
  parseTemplate,
  placeholdersOf,
} from '#app/notifications/rendering/parse_template'

const COMMENT_EDGE = /<!--|--!?>/

/**
 * Finds the first section that, left out or repeated, could change how HTML around it is read: one
 * that begins or ends within markup, or contains a part of a comment.
 */
export function findMisplacedSection(html: string): Placeholder | null {
  const tags = placeholdersOf(parseTemplate(html)).filter(({ kind }) => kind !== 'value')
  if (tags.length === 0) return null
  const regions = htmlRegions(html)
  const open: Placeholder[] = []
  let current = 0
  for (const tag of tags) {
    while (current < regions.length && regions[current].end <= tag.start) current++
    const isInMarkup = current < regions.length && regions[current].start <= tag.start
    if (isInMarkup || mayBeginTag(html, tag.start)) return tag
    if (tag.kind !== 'end') {
      open.push(tag)
      continue
    }
    const begun = open.pop()!
    // Only the outermost one, which contains the others, so that the time stays linear.
    if (open.length === 0 && COMMENT_EDGE.test(html.slice(begun.end, tag.start))) return begun
  }
  return null
}

/** Whether what follows would become the name of a tag. */
const mayBeginTag = (html: string, position: number) =>
  /<\/?$/.test(html.slice(Math.max(0, position - 2), position))

export const MISPLACED =
  'must not begin or end inside a tag, a title, a style or a script, nor contain comments'
