/** A stretch of HTML that is not plain text between tags; `end` is exclusive. */
export interface HtmlRegion {
  kind: 'attribute' | 'markup' | 'style' | 'code'
  start: number
  end: number
  /** Name of the attribute whose quoted value this is, in lower case. */
  attribute?: string
}

/** Elements whose content browsers do not read as text. */
const RAW_ELEMENTS = new Set(['script', 'style', 'iframe', 'noembed', 'noframes', 'xmp'])

/**
 * The tags of a document, their quoted attribute values apart, and the content of styles and scripts. Comments count as
 * text: what closes them is escaped as in text. One pass, whatever the input.
 */
export function htmlRegions(html: string): HtmlRegion[] {
  const regions: HtmlRegion[] = []
  const lowerCase = html.toLowerCase()
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at)) {
    if (html.startsWith('<!--', at)) at = after(html, '-->', at + 4)
    else if (/[a-z/!?]/.test(lowerCase.charAt(at + 1))) at = readTag(lowerCase, at, regions)
    else at++
  }
  return regions
}

/** Reads one tag, with the content that belongs to it when it is raw; answers where it ends. */
function readTag(html: string, start: number, regions: HtmlRegion[]): number {
  const end = readAttributes(html, start, regions)
  const element = /^<([^\s/>]+)/.exec(html.slice(start, start + 16))?.[1] ?? ''
  if (!RAW_ELEMENTS.has(element)) return end
  const close = html.indexOf(`</${element}`, end)
  const contentEnd = close === -1 ? html.length : close
  regions.push({ kind: element === 'style' ? 'style' : 'code', start: end, end: contentEnd })
  return contentEnd
}

function readAttributes(html: string, start: number, regions: HtmlRegion[]): number {
  let markupFrom = start
  let at = start + 1
  for (; at < html.length && html[at] !== '>'; at++) {
    if (html[at] !== '"' && html[at] !== "'") continue
    const attribute = /([^\s=/"'>]+)\s*=\s*$/.exec(html.slice(markupFrom, at))?.[1]
    if (attribute === undefined) continue
    const close = after(html, html[at], at + 1) - 1
    regions.push({ kind: 'markup', start: markupFrom, end: at + 1 })
    regions.push({ kind: 'attribute', start: at + 1, end: close, attribute })
    markupFrom = close
    at = close
  }
  const end = Math.min(at + 1, html.length)
  regions.push({ kind: 'markup', start: markupFrom, end })
  return end
}

/** Where `needle` ends, at the earliest from `from` on; the end of the text when it does not occur. */
function after(text: string, needle: string, from: number): number {
  const found = text.indexOf(needle, from)
  return found === -1 ? text.length + (needle.length === 1 ? 1 : 0) : found + needle.length
}
