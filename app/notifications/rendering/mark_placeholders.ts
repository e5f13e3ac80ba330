import { randomBytes } from 'node:crypto'
import {
  parseTemplate,
  type Placeholder,
  sourceOf,
  type TemplatePart,
} from '#app/notifications/rendering/parse_template'

/** Replaces placeholders with plain words, which HTML and CSS parsers leave alone. */
export function markPlaceholders(source: string) {
  const placeholders: Placeholder[] = []
  const mark = unusedWord(source)
  const marks = new RegExp(`${mark}(\\d+)x`, 'gi')
  const first = new RegExp(`^${mark}\\d+x`, 'i')
  const html = parseTemplate(source)
    .map((part) => (typeof part === 'string' ? part : `${mark}${placeholders.push(part) - 1}x`))
    .join('')
  return {
    html,
    sourcesIn: (text: string) =>
      [...text.matchAll(marks)].map(([, index]) => placeholders[Number(index)]),
    partsOf: (text: string): TemplatePart[] =>
      text.split(marks).map((part, index) => (index % 2 ? placeholders[Number(part)] : part)),
    begins: (text: string) => first.test(text),
    /** Other braces, such as those from character references, do not become placeholders. */
    restore: (text: string) =>
      text
        .replace(new RegExp(`\\{(?=\\{|${mark})`, 'gi'), '{ ')
        .replace(marks, (_, index) => sourceOf(placeholders[Number(index)])),
  }
}

function unusedWord(source: string): string {
  const word = `zq${randomBytes(6).toString('hex')}n`
  return source.toLowerCase().includes(word) ? unusedWord(source) : word
}
