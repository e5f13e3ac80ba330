import { ConciergeUnreachable } from '../unreachable.ts'

const TRANSIENT = new Set([429, 502, 503, 504])
/** Limits the pause that `Retry-After` requests. */
const MAX_PAUSE_MS = 5_000
const FIRST_PAUSE_MS = 100

const CHECKS = /\/api\/(?:profile\/me\/)?check(?:\/bulk|\/effective|\/explain|\/search\/\w+)?$/
const SENDS = /\/api\/internal\/notifications(?:\/bulk)?$/

interface RetryOptions {
  timeoutMs?: number
  retries?: number
  fetch?: typeof fetch
}

/**
 * A `fetch` with a time limit per attempt. It retries reads, checks, replacements and sends, whose
 * attempts share an idempotency key. Redirects are errors: they would receive the key.
 *
 * @throws ConciergeUnreachable, also while the body is read; the reason of the caller's own signal
 */
export function retryingFetch({
  timeoutMs = 5_000,
  retries = 2,
  fetch: send = fetch,
}: RetryOptions) {
  return async (request: Request): Promise<Response> => {
    const path = new URL(request.url).pathname
    if (isSend(request, path) && !request.headers.has('idempotency-key')) {
      request.headers.set('idempotency-key', crypto.randomUUID())
    }
    const attempts = isRepeatable(request, path) ? retries + 1 : 1
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt >= attempts
      try {
        const limit = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)])
        const response = await send(
          new Request(request.clone(), { signal: limit, redirect: 'error' })
        )
        if (isLast || !TRANSIENT.has(response.status))
          return withTypedErrors(response, request, limit)
        await response.body?.cancel()
        await pause(retryDelay(attempt, response.headers.get('retry-after')), request.signal)
      } catch (error) {
        if (request.signal.aborted) throw error
        if (isLast) throw new ConciergeUnreachable(error)
        await pause(retryDelay(attempt, null), request.signal)
      }
    }
  }
}

/**
 * The connection can also break, or the time run out, after the headers. A body that keeps arriving
 * may outlive the signal of its `fetch`, so the signal also ends it here.
 *
 * @param limit aborts when the time has run out, or with the request
 */
function withTypedErrors(response: Response, { signal }: Request, limit: AbortSignal): Response {
  const { body, status, statusText, headers } = response
  if (body === null) return response
  const reader = body.getReader()
  const typed = (error: unknown) => (signal.aborted ? error : new ConciergeUnreachable(error))
  let stop = () => {}
  const limited = new ReadableStream<Uint8Array>({
    start(controller) {
      stop = () => {
        controller.error(typed(limit.reason))
        reader.cancel(limit.reason).catch(() => {})
      }
      limit.addEventListener('abort', stop, { once: true })
      if (limit.aborted) stop()
    },
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (limit.aborted) return
        if (!done) return controller.enqueue(value)
        limit.removeEventListener('abort', stop)
        controller.close()
      } catch (error) {
        limit.removeEventListener('abort', stop)
        if (!limit.aborted) controller.error(typed(error))
      }
    },
    cancel(reason) {
      limit.removeEventListener('abort', stop)
      return reader.cancel(reason)
    },
  })
  return new Response(limited, { status, statusText, headers })
}

const isSend = ({ method }: Request, path: string) => method === 'POST' && SENDS.test(path)

function isRepeatable(request: Request, path: string) {
  // If the response to the first attempt was lost, a second one would find its own change.
  if (request.headers.has('if-match')) return false
  if (request.method === 'GET' || request.method === 'PUT') return true
  return request.method === 'POST' && (CHECKS.test(path) || isSend(request, path))
}

function retryDelay(attempt: number, retryAfter: string | null) {
  const requested = Number(retryAfter) * 1_000
  if (requested > 0) return Math.min(requested, MAX_PAUSE_MS)
  return FIRST_PAUSE_MS * 4 ** (attempt - 1) * (0.75 + Math.random() / 2)
}

function pause(ms: number, signal: AbortSignal) {
  return new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal.addEventListener('abort', stop, { once: true })
  })
}
