import { type OutboundRequest, outbound } from '#core/network/outbound'

export class UnusableResponse extends Error {
  override name = 'UnusableResponse'

  constructor(
    readonly reason: 'status' | 'not_json',
    readonly status: number,
    readonly body?: unknown
  ) {
    super(reason === 'status' ? `The response has status ${status}` : 'The response is not JSON')
  }
}

/** An empty response is null. @throws OutboundError, UnusableResponse */
export async function outboundJson(url: string, options: OutboundRequest): Promise<unknown> {
  const { status, body } = await outbound(url, {
    ...options,
    headers: { accept: 'application/json', ...options.headers },
  })
  const parsed = parse(body)
  if (status < 200 || status > 299) throw new UnusableResponse('status', status, parsed)
  if (parsed === undefined) throw new UnusableResponse('not_json', status)
  return parsed
}

function parse(body: Buffer): unknown {
  if (body.length === 0) return null
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}
