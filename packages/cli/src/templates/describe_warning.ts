import type { components } from '@concierge/client'

export type TemplateWarning = components['schemas']['TemplateWarning']

/** For example, `line 3: Without an alt text, … (IMAGE_WITHOUT_ALT)`. */
export function describeWarning({ code, detail, field, line, value }: TemplateWarning): string {
  const place = field === 'subjectTemplate' ? 'subject: ' : line === null ? '' : `line ${line}: `
  const isAddress = value !== null && !detail.includes(value)
  return `${place}${detail}${isAddress ? `: ${value}` : ''} (${code})`
}
