import { ConciergeProblem } from '@concierge/client'
import { Failure, notConcierge } from './errors.ts'
import { EXIT } from './exit_codes.ts'

/** See conventions.md#paging. */
const PAGE_SIZE = 200

export interface Bounds<T> {
  limit: number
  all?: boolean
  /** Stops after the first page with a matching item. */
  until?: (item: T) => boolean
}

interface Result<T> {
  data?: { data: T[] }
  error?: unknown
  response: Response
}

/** Follows the `next` links of a list up to the limit. */
export async function collect<T>(
  { limit, all, until = () => false }: Bounds<T>,
  read: (page: { limit: number; cursor?: string }) => Promise<Result<T>>
): Promise<T[]> {
  const wanted = all ? Infinity : limit
  const found: T[] = []
  const seen = new Set<string>()
  let cursor: string | undefined
  do {
    const size = Math.min(PAGE_SIZE, wanted - found.length)
    const { data, error, response } = await read({
      limit: size,
      ...(cursor !== undefined && { cursor }),
    })
    if (!response.ok) throw new ConciergeProblem(response.status, error)
    const page: unknown = data?.data
    if (!isListOf<T>(page)) throw notConcierge('has no list')
    for (const item of page) found.push(item)
    if (page.some(until)) break
    cursor = nextCursor(response.headers.get('link'))
    if (cursor === undefined) break
    if (seen.has(cursor)) {
      throw new Failure('The service returned the same page again', EXIT.unreachable)
    }
    seen.add(cursor)
  } while (found.length < wanted)
  return found
}

/** Takes only the cursor: links must not redirect requests to another host. */
function nextCursor(link: string | null): string | undefined {
  const [, target] = /<([^>]*)>\s*;[^,]*\brel="?next"?/.exec(link ?? '') ?? []
  if (target === undefined) return undefined
  return new URL(target, 'http://service').searchParams.get('cursor') ?? undefined
}

const isListOf = <T>(value: unknown): value is T[] => Array.isArray(value)
