export interface FieldError {
  field: string
  rule: string
  message: string
  meta?: Record<string, unknown>
}

/** A response that is a problem (RFC 9457). */
export class Problem extends Error {
  readonly status: number
  readonly code: string
  readonly details: Record<string, unknown>
  readonly requestId: string | null
  /** Of the present state, if someone else has changed it (412). */
  readonly etag: string | null

  constructor(body: Partial<Problem & { detail: string }>, response: Response) {
    super(body.detail ?? response.statusText)
    this.status = response.status
    this.etag = response.headers.get('etag')
    this.code = body.code ?? 'UNEXPECTED'
    this.details = body.details ?? {}
    this.requestId = body.requestId ?? null
  }

  static async of(response: Response): Promise<Problem> {
    const body: unknown = await response
      .clone()
      .json()
      .catch(() => ({}))
    return new Problem(body as Partial<Problem>, response)
  }

  /** What is wrong with which field. */
  get fields(): FieldError[] {
    return (this.details.errors as FieldError[] | undefined) ?? []
  }
}
