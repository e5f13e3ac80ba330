const MAX_LENGTH = 2_048

/** The text as an absolute http or https URL; null if it is none. */
export function httpLink(text: string, base?: string): string | null {
  const url = text === '' ? null : URL.parse(text, base)
  const isHttp = url !== null && /^https?:$/.test(url.protocol)
  return isHttp && url.href.length <= MAX_LENGTH ? url.href : null
}
