import type { AccessChange, Flip, PreviewPage } from '@concierge/client'
import type { Command } from 'commander'
import type { Session } from './session.ts'
import { render } from './terminal/print.ts'
import { say, styled } from './terminal/say.ts'

const MOST_PER_PAGE = 1_000
export const DEFAULT_FLIPS = 50

const LEVELS = ['allowed', 'view', 'edit']
const COLUMNS = ['', 'email', 'permission', 'resource', 'before', 'after', 'needs']

export interface PreviewOption {
  preview?: boolean
}

export const withPreview = (target: Command) =>
  target.option('--preview', 'show which decisions would flip, and change nothing')

interface Bounds {
  limit: number
  all?: boolean
}

/** Prints which decisions changes would flip. */
export async function printPreview(
  session: Session,
  app: string,
  changes: AccessChange[],
  { limit, all }: Bounds = { limit: DEFAULT_FLIPS }
): Promise<void> {
  const wanted = all ? Infinity : limit
  const flips: Flip[] = []
  let first: PreviewPage | undefined
  const question = { app, changes, limit: Math.min(wanted, MOST_PER_PAGE) }
  for await (const page of session.client().preview(question)) {
    first ??= page
    flips.push(...page.flips.slice(0, wanted - flips.length))
    if (flips.length >= wanted) break
  }
  const { total, gained, lost, conditional } = first!
  const counts = { total, gained, lost, conditional }
  if (session.options.output !== 'table') return session.print({ ...counts, flips })
  session.text(flips.length === 0 ? 'No decisions would change' : tableOf(flips))
  if (flips.length < total) say(`These are the first ${flips.length} of ${total}`)
  session.text(summaryOf(counts))
}

export function tableOf(flips: Flip[]): string {
  const [head, ...lines] = render(flips.map(rowOf), 'table', COLUMNS).split('\n')
  // Every row is one line.
  const coloured = lines.map((line, index) => {
    return styled(isGain(flips[index]!) ? 'green' : 'red', line, process.stdout)
  })
  return [head, ...coloured].join('\n')
}

function rowOf(flip: Flip): Record<string, string | null> {
  const { email, permission, resourceType, resourceId, before, after, missing } = flip
  return {
    '': isGain(flip) ? '+' : '−',
    email,
    permission,
    'resource': resourceType === null ? null : `${resourceType}:${resourceId}`,
    'before': heldBy(before),
    'after': heldBy(after),
    'needs': missing ?? null,
  }
}

const heldBy = ({ level, source }: Flip['before']) =>
  level === null ? 'denied' : `${level} (${source})`

const rankOf = (level: string | null) => (level === null ? -1 : LEVELS.indexOf(level))

const isGain = ({ before, after }: Flip) => rankOf(after.level) > rankOf(before.level)

export function summaryOf({
  gained,
  lost,
  conditional,
}: Omit<PreviewPage, 'flips' | 'nextCursor'>) {
  const parts = [
    styled('green', `${gained} gained`, process.stdout),
    styled('red', `${lost} lost`, process.stdout),
  ]
  if (conditional > 0) parts.push(`${conditional} more can change, depending on attributes`)
  return parts.join(', ')
}
