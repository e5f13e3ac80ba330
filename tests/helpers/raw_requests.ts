export function rawRequest(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: string
): string {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const all = { 'host': 'a', 'content-type': 'application/json', ...length, ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`
}

export function statusesIn(received: string): number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
}
