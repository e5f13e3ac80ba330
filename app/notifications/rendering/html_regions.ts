/** A part of HTML that is not text between tags. `end` is exclusive. */
export interface HtmlRegion {
  /**
   * `attribute` is a quoted value, `markup` the rest of a tag or a declaration, `raw` content that
   * is neither parsed nor shown, `rcdata` text that may contain tags, such as a title.
   */
  kind: 'attribute' | 'unquoted' | 'markup' | 'style' | 'raw' | 'rcdata'
  start: number
  end: number
  /** In lower case; with a leading slash in an end tag, empty in a declaration */
  element: string
  attribute?: string
}

const RAW_ELEMENTS = new Map<string, HtmlRegion['kind']>([
  ['style', 'style'],
  ['title', 'rcdata'],
  ['textarea', 'rcdata'],
  ...['script', 'iframe', 'noembed', 'noframes', 'noscript', 'xmp'].map(
    (name) => [name, 'raw'] as const
  ),
])

/** Matches a conditional comment. A value at the start could make any comment conditional. */
export const CONDITIONAL_COMMENT = /^\s*(?:\[|\{\{)/
const MAX_CONDITION_OFFSET = 200

/**
 * Splits HTML as the tokenizer of the HTML standard does, in one pass and in order of `start`.
 * Conditional comments, which Outlook reads, are split too; other comments are skipped.
 */
export function htmlRegions(html: string): HtmlRegion[] {
  return new HtmlScanner(html).scan()
}

class HtmlScanner {
  readonly #html: string
  readonly #regions: HtmlRegion[] = []
  #at = 0
  #end: number
  #isInComment = false

  constructor(html: string) {
    this.#html = html
    this.#end = html.length
  }

  scan(): HtmlRegion[] {
    while (this.#seek('<')) this.#readMarkup()
    return this.#regions
  }

  #seek(needle: string): boolean {
    const found = this.#html.slice(this.#at, this.#end).indexOf(needle)
    this.#at = found === -1 ? this.#end : this.#at + found
    return found !== -1
  }

  #readMarkup() {
    const next = this.#html.charAt(this.#at + 1)
    if (isLetter(next)) this.#readTag(this.#at + 1)
    else if (next === '/') this.#readEndTag()
    else if (next === '!' && this.#html.startsWith('--', this.#at + 2)) this.#readComment()
    else if (next === '!' || next === '?') this.#readDeclaration()
    else this.#at++
  }

  #readEndTag() {
    const next = this.#html.charAt(this.#at + 2)
    if (isLetter(next)) this.#readTag(this.#at + 2)
    else if (next === '>') this.#at += 3
    else this.#readDeclaration()
  }

  #readDeclaration() {
    const start = this.#at
    this.#seek('>')
    this.#at = Math.min(this.#at + 1, this.#end)
    this.#emit('markup', start, '')
  }

  #readComment() {
    if (this.#isInComment) {
      this.#at += 4
      return
    }
    const start = this.#at + 4
    const { contentEnd, end } = this.#endOfComment(start)
    if (
      CONDITIONAL_COMMENT.test(
        this.#html.slice(start, Math.min(contentEnd, start + MAX_CONDITION_OFFSET))
      )
    ) {
      this.#readConditional(start, contentEnd)
    }
    this.#at = end
  }

  #readConditional(start: number, end: number) {
    const outerEnd = this.#end
    this.#at = start
    this.#end = end
    this.#isInComment = true
    this.scan()
    this.#end = outerEnd
    this.#isInComment = false
  }

  /** A comment ends with `-->` or `--!>`, an empty one also with `>` or `->`. */
  #endOfComment(start: number): { contentEnd: number; end: number } {
    for (const short of ['>', '->']) {
      if (this.#html.startsWith(short, start)) {
        return { contentEnd: start, end: start + short.length }
      }
    }
    for (
      let at = this.#html.indexOf('--', start);
      at !== -1;
      at = this.#html.indexOf('--', at + 1)
    ) {
      for (const close of ['-->', '--!>']) {
        if (this.#html.startsWith(close, at)) return { contentEnd: at, end: at + close.length }
      }
    }
    return { contentEnd: this.#html.length, end: this.#html.length }
  }

  #readTag(nameStart: number) {
    const start = this.#at
    this.#at = nameStart
    const element = this.#html.slice(start + 1, this.#skipUntil(isEndOfTagName)).toLowerCase()
    const markupFrom = this.#readAttributes(element, start)
    this.#at = Math.min(this.#at + 1, this.#end)
    this.#emit('markup', markupFrom, element)
    if (element === 'plaintext') {
      const from = this.#at
      this.#at = this.#end
      this.#emit('raw', from, element)
    }
    const content = RAW_ELEMENTS.get(element)
    if (content) this.#readContent(content, element)
  }

  /** Stops at the closing bracket. Returns the start of the markup not yet emitted. */
  #readAttributes(element: string, tagStart: number): number {
    let markupFrom = tagStart
    for (;;) {
      this.#skipWhile(isBetweenAttributes)
      if (this.#at >= this.#end || this.#html[this.#at] === '>') return markupFrom
      const attribute = this.#readAttributeName()
      this.#skipWhile(isBlank)
      if (this.#at >= this.#end || this.#html[this.#at] !== '=') continue
      this.#at++
      this.#skipWhile(isBlank)
      if (this.#at < this.#end && this.#html[this.#at] !== '>') {
        markupFrom = this.#readValue(element, attribute, markupFrom)
      }
    }
  }

  #readAttributeName(): string {
    const start = this.#at++
    return this.#html.slice(start, this.#skipUntil(isEndOfAttributeName)).toLowerCase()
  }

  #readValue(element: string, attribute: string, markupFrom: number): number {
    const quote = this.#html[this.#at]
    const isQuoted = quote === '"' || quote === "'"
    if (isQuoted) this.#at++
    this.#emit('markup', markupFrom, element)
    const start = this.#at
    if (isQuoted) this.#seek(quote)
    else this.#skipUntil(isEndOfUnquoted)
    const end = this.#at
    const kind = isQuoted ? 'attribute' : 'unquoted'
    this.#regions.push({ kind, start, end, element, attribute })
    if (isQuoted) this.#at = Math.min(end + 1, this.#end)
    return end
  }

  #readContent(kind: HtmlRegion['kind'], element: string) {
    const start = this.#at
    while (this.#seek('</')) {
      const nameEnd = this.#at + 2 + element.length
      const name = this.#html.slice(this.#at + 2, nameEnd).toLowerCase()
      if (name === element && isEndOfTagName(this.#html.charCodeAt(nameEnd))) break
      this.#at += 2
    }
    this.#emit(kind, start, element)
  }

  #emit(kind: HtmlRegion['kind'], start: number, element: string) {
    this.#regions.push({ kind, start, end: this.#at, element })
  }

  #skipWhile(isPart: (code: number) => boolean) {
    while (this.#at < this.#end && isPart(this.#html.charCodeAt(this.#at))) this.#at++
  }

  #skipUntil(isEnd: (code: number) => boolean): number {
    while (this.#at < this.#end && !isEnd(this.#html.charCodeAt(this.#at))) this.#at++
    return this.#at
  }
}

const SLASH = 0x2f
const EQUALS = 0x3d
const BRACKET = 0x3e

const isLetter = (character: string) => /^[a-z]$/i.test(character)

const isBlank = (code: number) =>
  code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0c || code === 0x0d

const isBetweenAttributes = (code: number) => isBlank(code) || code === SLASH

const isEndOfTagName = (code: number) => isBlank(code) || code === SLASH || code === BRACKET

const isEndOfAttributeName = (code: number) => isEndOfTagName(code) || code === EQUALS

const isEndOfUnquoted = (code: number) => isBlank(code) || code === BRACKET
