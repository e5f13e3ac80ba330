import { randomUUID } from 'node:crypto'

/** Not an application key that somebody has put into the wrong header: ids are logged. */
const ACCEPTABLE = /^(?!cgk_)[\w.:-]{1,128}$/

/** The caller's own id where it is usable, else a new one. */
export function requestIdFrom(given: string | undefined): string {
  return given !== undefined && ACCEPTABLE.test(given) ? given : randomUUID()
}
