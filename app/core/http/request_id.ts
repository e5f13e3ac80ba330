import { randomUUID } from 'node:crypto'

/** Request ids are logged, so application keys (`cgk_…`) in the wrong header are refused. */
const VALID_ID = /^(?!cgk_)[\w.:-]{1,128}$/

export function requestIdFrom(header: string | undefined): string {
  return header !== undefined && VALID_ID.test(header) ? header : randomUUID()
}
