const MAX_LENGTH = 2_048

/** The absolute http or https URL that a text stands for, or null. */
export function httpLink(text: string, base?: string): string | null {
  const url = text === '' ? null : URL.parse(text, base)
  const isHttp = url !== null && /^https?:$/.test(url.protocol)
  return isHttp && url.href.length <= MAX_LENGTH ? url.href : null
}
