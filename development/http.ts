import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'

const MAX_BODY_BYTES = 64 * 1024

/** The message is sent to the caller. */
export class RequestError extends Error {
  constructor(
    readonly status: number,
    message: string
  ) {
    super(message)
  }
}

/** @throws RequestError 413 for a body above the limit, by default 64 KiB */
export async function readBytes(request: IncomingMessage, limit = MAX_BODY_BYTES): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > limit) throw new RequestError(413, 'The body is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** @throws RequestError 413 for a body above 64 KiB */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  return new URLSearchParams((await readBytes(request)).toString())
}

export function bearerToken({ headers }: IncomingMessage): string | undefined {
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
}

export function send(
  response: ServerResponse,
  status: number,
  body: string,
  headers: OutgoingHttpHeaders
): void {
  response.writeHead(status, { 'cache-control': 'no-store', ...headers })
  response.end(body)
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: OutgoingHttpHeaders = {}
): void {
  send(response, status, JSON.stringify(body), { 'content-type': 'application/json', ...headers })
}
