import { randomUUID } from 'node:crypto'

const VALID_ID = /^[\w.:-]{1,128}$/

export function requestIdFrom(header: string | undefined): string {
  return header !== undefined && VALID_ID.test(header) ? header : randomUUID()
}
