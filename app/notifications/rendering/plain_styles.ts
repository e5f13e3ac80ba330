import { styleInterpretations } from '#app/notifications/rendering/style_interpretations'

const names = (text: string) => new Set(text.split(' '))

// None of them hides an element or puts it elsewhere.
const PLAIN = names(
  'background background-color border-collapse border-radius border-spacing box-shadow box-sizing color cursor direction font-family font-style font-variant font-weight height letter-spacing line-height max-width min-height min-width outline overflow-wrap table-layout text-align text-decoration text-transform vertical-align width word-break word-wrap -ms-text-size-adjust -webkit-font-smoothing -webkit-text-size-adjust mso-line-height-rule mso-padding-alt mso-table-lspace mso-table-rspace'
)
const PLAIN_FAMILIES = /^(?:border|list-style|margin|padding|text-decoration)(?:-[a-z-]+)?$/
const PLAIN_VALUES: Record<string, RegExp> = {
  'display': /^(?:block|list-item|table|table-cell|table-row)$/,
  'font-size': /^[\d.]*[1-9][\d.]*(?:em|pt|px|rem|%)$/,
  'white-space': /^(?:normal|nowrap|pre|pre-line|pre-wrap)$/,
}

const BLOCK = /\{([^{}]*)\}/g

/** Whether a style neither hides an element nor shows it elsewhere than its tag says. */
export const isPlainStyle = (css: string): boolean =>
  styleInterpretations(css).every((reading) => reading.split(';').every(isPlainDeclaration))

/** The same for all rules of a style sheet. */
export const isPlainSheet = (css: string): boolean =>
  styleInterpretations(css).every((reading) =>
    reading.matchAll(BLOCK).every(([, block]) => block.split(';').every(isPlainDeclaration))
  )

function isPlainDeclaration(declaration: string): boolean {
  if (declaration.trim() === '') return true
  const colon = declaration.indexOf(':')
  const property = declaration.slice(0, Math.max(colon, 0)).trim().toLowerCase()
  const value = declaration.slice(colon + 1).toLowerCase()
  const values = PLAIN_VALUES[property]
  if (values) return values.test(value.replace(/!\s*important/, '').trim())
  return PLAIN.has(property) || PLAIN_FAMILIES.test(property)
}
