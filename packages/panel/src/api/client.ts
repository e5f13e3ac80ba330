import type { operations, paths } from '@concierge/client'
import createClient, { type Client } from 'openapi-fetch'
import { Problem } from '@/api/problem'

export type Api = Client<paths>

/** What an operation takes. */
export type BodyOf<Name extends keyof operations> = operations[Name] extends {
  requestBody?: { content: { 'application/json': infer Body } }
}
  ? Body
  : never

type OnSignedOut = () => void

const onSignedOut = new Set<OnSignedOut>()

/** Calls the handler once the session has ended. Returns how to stop that. */
export function whenSignedOut(handler: OnSignedOut) {
  onSignedOut.add(handler)
  return () => onSignedOut.delete(handler)
}

const HEADERS = { 'x-concierge-panel': '1' }

/** The API. Every response that is not successful is thrown as a `Problem`. */
export const api: Api = createClient<paths>({ baseUrl: '', headers: HEADERS })

api.use({
  async onResponse({ response }) {
    if (response.ok) return
    if (response.status === 401) for (const handler of onSignedOut) handler()
    throw await Problem.of(response)
  },
})

/** The requests that a write would send. Nothing is sent. */
export async function requestsOf(write: (api: Api) => Promise<unknown>): Promise<Request[]> {
  const captured: Request[] = []
  const recorder = createClient<paths>({
    baseUrl: location.origin,
    fetch: (request) => {
      captured.push(request)
      return Promise.resolve(Response.json({}))
    },
  })
  await write(recorder)
  return captured
}

/** The cursor of the next page, from the `Link` header. */
export function nextCursor(response: Response): string | null {
  const link = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
  return link ? new URL(link, location.origin).searchParams.get('cursor') : null
}

/** How many rows there are on all pages, if the request asked for it. */
export function totalCount(response: Response): number | null {
  const total = response.headers.get('x-total-count')
  return total === null ? null : Number(total)
}

/** For a write that must not undo what someone else has changed meanwhile. */
export const ifMatch = (etag: string | null) =>
  etag === null ? {} : { header: { 'if-match': etag } }
