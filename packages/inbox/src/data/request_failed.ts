/** The service refused a request, or could not be reached (`status` 0). */
export class RequestFailed extends Error {
  override readonly name = 'RequestFailed'
  declare readonly status: number
  /** Of the problem, such as `RATE_LIMITED`. */
  declare readonly code: string
  /** How long the service asks to wait. */
  declare readonly retryAfterMs: number

  constructor(status: number, code: string, detail: string, retryAfterSeconds = 0) {
    super(detail)
    this.status = status
    this.code = code
    this.retryAfterMs = retryAfterSeconds * 1_000
  }
}

export async function failureOf(response: Response): Promise<RequestFailed> {
  const { code = 'UNKNOWN', detail = response.statusText } = (await response
    .json()
    .catch(() => ({}))) as { code?: string; detail?: string }
  const seconds = Number(response.headers.get('retry-after')) || 0
  return new RequestFailed(response.status, code, detail, seconds)
}
