/** One part of a mail. Bytes are characters (Latin-1), as the limits count bytes. */
export interface MimePart {
  /** By lower-case name; the first of several */
  headers: Map<string, string>
  body: string
}

const MAX_HEADERS = 200
const MAX_VALUE_LENGTH = 4_096
const MAX_DEPTH = 3
const MAX_PARTS = 20

/**
 * Reads a part of limited size in linear time. Nothing is decoded except the transfer encoding of
 * the body.
 */
export function parsePart(text: string): MimePart {
  // A part without headers begins with the empty line that ends them.
  const end = /(?:^|\r?\n)\r?\n/.exec(text)
  if (end === null) return { headers: parseFields(text), body: '' }
  const headers = parseFields(text.slice(0, end.index))
  return { headers, body: decodeBody(text.slice(end.index + end[0].length), headers) }
}

/** Header fields, unfolded and cut. Later ones with the same name are ignored. */
export function parseFields(text: string): Map<string, string> {
  const fields = new Map<string, string>()
  const lines = text.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/, MAX_HEADERS)
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon < 1) continue
    const name = line.slice(0, colon).trim().toLowerCase()
    if (fields.has(name)) continue
    fields.set(name, line.slice(colon + 1, colon + 1 + MAX_VALUE_LENGTH).trim())
  }
  return fields
}

/** The type of a part, such as `multipart/report`. */
export function contentTypeOf({ headers }: MimePart): string {
  const [type] = (headers.get('content-type') ?? 'text/plain').split(';', 1)
  return type.trim().toLowerCase()
}

/**
 * The first part of one of these types, within multiparts up to a depth of three. Mails that are
 * attached are not searched: they may contain reports about something else.
 */
export function findPart(root: MimePart, types: readonly string[]): MimePart | null {
  let level = [root]
  let seen = 0
  for (let depth = 0; depth <= MAX_DEPTH; depth++) {
    const found = level.find((part) => types.includes(contentTypeOf(part)))
    if (found) return found
    const next: MimePart[] = []
    for (const part of level) {
      const parts = partsOf(part, MAX_PARTS - seen)
      seen += parts.length
      next.push(...parts)
    }
    level = next
  }
  return null
}

function partsOf(part: MimePart, limit: number): MimePart[] {
  if (limit <= 0 || !contentTypeOf(part).startsWith('multipart/')) return []
  const boundary = boundaryOf(part)
  if (boundary === null) return []
  const delimiter = `\n--${boundary}`
  // The preamble ends at the first delimiter, which may be the first line.
  const [, ...texts] = `\n${part.body}`.split(delimiter, limit + 1)
  return texts
    .filter((text) => /^[ \t]*\r?\n/.test(text))
    .map((text) => parsePart(text.slice(text.indexOf('\n') + 1)))
}

function boundaryOf({ headers }: MimePart): string | null {
  const [, quoted, plain] =
    /;\s*boundary\s*=\s*(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(
      headers.get('content-type') ?? ''
    ) ?? []
  return quoted ?? plain ?? null
}

function decodeBody(body: string, headers: Map<string, string>): string {
  const encoding = headers.get('content-transfer-encoding')?.toLowerCase()
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('latin1')
  if (encoding !== 'quoted-printable') return body
  return body
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([\dA-F]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
}
