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

/** @throws RequestError 413 for a body above 64 KiB */
export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) throw new RequestError(413, 'The body is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** @throws RequestError 413 for a body above 64 KiB */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  return new URLSearchParams(await readBody(request))
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
