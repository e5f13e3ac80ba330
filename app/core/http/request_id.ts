import { randomUUID } from 'node:crypto'

const ACCEPTABLE = /^[\w.:-]{1,128}$/

export function requestIdFrom(given: string | undefined): string {
  return given !== undefined && ACCEPTABLE.test(given) ? given : randomUUID()
}
