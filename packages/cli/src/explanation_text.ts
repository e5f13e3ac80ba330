import type { components } from '@concierge/client'
import { printable } from './terminal/printable.ts'
import { styled } from './terminal/say.ts'

export type Explanation = components['schemas']['Explanation']
type Change = Explanation['wouldAllow'][number]

/** See checks.md#evaluation-order. */
const RULES: Record<number, string> = {
  1: 'Is the person deactivated?',
  2: 'A super admin?',
  3: 'An administrator of the application?',
  4: 'Is there an exception for the resource?',
  5: 'Does a role give it?',
  6: 'Nothing gives it',
}

export function explanationText(explanation: Explanation): string {
  const { allowed, accessLevel, source, decidedBy, steps, wouldAllow } = explanation
  const how = allowed ? ` with level ${accessLevel} by ${source}` : ''
  return [
    `${verdictText(allowed)}${how}: rule ${decidedBy} decided`,
    '',
    ...steps.flatMap(({ rule, outcome, evidence }) => [
      `${MARKS[outcome]} ${rule}. ${RULES[rule] ?? ''}  ${outcome}`,
      ...evidence.map(({ kind, description }) => `     ${kind}: ${printable(description)}`),
    ]),
    ...(wouldAllow.length > 0 ? ['', 'It would be allowed by one of these:'] : []),
    ...wouldAllow.map((change) => `  - ${printable(changeText(change))}`),
  ].join('\n')
}

export const verdictText = (allowed: boolean) =>
  styled(allowed ? 'green' : 'red', allowed ? 'allowed' : 'denied', process.stdout)

const MARKS = { passed: ' ', decided: '>', skipped: ' ' }

function changeText(change: Change): string {
  switch (change.kind) {
    case 'activate':
      return `activating ${change.email}`
    case 'administrator':
      return `making them an administrator of ${change.application}`
    case 'role':
      return `giving them the role ${change.role} (${change.accessLevel})`
    case 'override': {
      const where = `${change.resourceType}:${change.resourceId}`
      if (change.change === 'remove') return `taking the exception for ${where} away`
      const level = change.accessLevel === null ? '' : ` at ${change.accessLevel}`
      return `an exception for ${where}${level}`
    }
  }
}
