import type { operations } from '@concierge/client'
import { summaryOf, tableOf } from '../preview.ts'
import { printable } from '../terminal/printable.ts'
import { styled } from '../terminal/say.ts'

type Planned =
  operations['policies.policies.plan']['responses']['200']['content']['application/json']
export type Plan = Planned['data']
export type Change = Plan['changes'][number]

const MARKS = { add: '+', change: '~', remove: '-' } as const
const COLOURS = { add: 'green', change: 'yellow', remove: 'red' } as const
/** Longer values, such as bodies of mails, are cut. */
const SHOWN_LENGTH = 60

/** What would be added, changed and removed, then which decisions would flip. */
export function planText(plan: Plan): string {
  return [...changeLines(plan.changes), '', ...flipLines(plan)].join('\n')
}

export function changeLines(changes: Change[]): string[] {
  if (changes.length === 0) return ['No changes']
  return changes.flatMap((change) => {
    const { kind, id, action } = change
    const line = `${MARKS[action]} ${kind} ${printable(id)}`
    const fields = action === 'change' ? fieldLines(change) : []
    return [styled(COLOURS[action], line, process.stdout), ...fields]
  })
}

function fieldLines({ before, after }: Change): string[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return names.map((name) => `    ${name}: ${shown(before?.[name])} → ${shown(after?.[name])}`)
}

function shown(value: unknown): string {
  const text = value === undefined ? 'none' : JSON.stringify(value)
  return printable(text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text)
}

function flipLines({ flips, total, ...counts }: Plan): string[] {
  const more = flips.length < total ? [`These are the first ${flips.length} of ${total}.`] : []
  const table = flips.length === 0 ? 'No decisions would change' : tableOf(flips)
  return [table, ...more, summaryOf({ total, ...counts })]
}
