/** Best first, for clients that accept several equally. */
export const CODINGS = ['br', 'gzip', 'identity'] as const
export type Coding = (typeof CODINGS)[number]

/** The coding that an `Accept-Encoding` header prefers. Identity if the client accepts none. */
export function preferredCoding(acceptEncoding: string | undefined): Coding {
  const qualities = new Map((acceptEncoding ?? '').toLowerCase().split(',').map(readPart))
  const qualityOf = (coding: Coding) =>
    qualities.get(coding) ?? (coding === 'identity' ? 0 : (qualities.get('*') ?? 0))
  const accepted = CODINGS.filter((coding) => qualityOf(coding) > 0)
  const best = Math.max(...accepted.map(qualityOf))
  return accepted.find((coding) => qualityOf(coding) === best) ?? 'identity'
}

function readPart(part: string): [string, number] {
  const [coding, ...parameters] = part.split(';').map((text) => text.trim())
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  return [coding, quality === undefined ? 1 : Number(quality) || 0]
}
