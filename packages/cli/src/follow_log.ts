import { setTimeout as pause } from 'node:timers/promises'
import type { Bounds } from './paging.ts'
import { onInterrupt } from './terminal/on_interrupt.ts'

const POLL_MS = 2_000
/** How many entries are compared. */
const WATCHED = 200

export type LogEntry = Record<string, unknown> & { id: number }

interface Options {
  /** The command that continues after an interruption. */
  again: string
  show: (entry: LogEntry) => void
}

/** Shows new entries as they are stored, until it is interrupted. */
export async function followLog(
  read: (bounds: Bounds<LogEntry>) => Promise<LogEntry[]>,
  { again, show }: Options
): Promise<never> {
  onInterrupt(`Continue with: ${again}`)
  let shown = shownOf(await read({ limit: WATCHED }), 0)
  const isShown = ({ id }: LogEntry) => id < shown.before || shown.ids.has(id)
  for (;;) {
    await pause(POLL_MS)
    const found = await read({ limit: WATCHED, all: true, until: isShown })
    for (const entry of found.filter((each) => !isShown(each)).reverse()) show(entry)
    shown = shownOf(found, shown.before)
  }
}

/**
 * The latest entries one by one, because a new one may have a lower id than others: it was stored
 * late, or has only now got the status that the filter wants.
 */
function shownOf(found: LogEntry[], before: number) {
  const ids = found.map(({ id }) => id)
  return {
    ids: new Set(ids),
    before: ids.length < WATCHED ? before : Math.max(before, ids.at(-1)!),
  }
}
