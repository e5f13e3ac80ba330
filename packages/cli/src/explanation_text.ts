import type { components } from '@concierge/client'
import { printable } from './terminal/printable.ts'
import { styled } from './terminal/say.ts'

export type Explanation = components['schemas']['Explanation']
type Change = Explanation['wouldAllow'][number]

/** See checks.md#evaluation-order. */
const RULES: Record<number, string> = {
  1: 'Deactivated user',
  2: 'Super admin',
  3: 'Application administrator',
  4: 'Override on the resource',
  5: 'Roles',
  6: 'Denied by default',
}

export function explanationText(explanation: Explanation): string {
  const { allowed, accessLevel, source, decidedBy, steps } = explanation
  const changes = sensibleChanges(explanation)
  const how = allowed ? ` with level ${accessLevel} by ${source}` : ''
  return [
    `${verdictText(allowed)}${how}: rule ${decidedBy} decided`,
    '',
    ...steps.flatMap(({ rule, outcome, evidence }) => [
      `${MARKS[outcome]} ${rule}. ${RULES[rule] ?? ''}  ${outcome}`,
      ...evidence.map(({ kind, description }) => `     ${kind}: ${printable(description)}`),
    ]),
    ...(changes.length > 0 ? ['', 'Any of these changes would allow it:'] : []),
    ...changes.map((change) => `  - ${printable(changeText(change))}`),
  ].join('\n')
}

/** Administrators are allowed even misspelled permissions, but that is not what is missing. */
function sensibleChanges({ unknown, wouldAllow }: Explanation) {
  return unknown === null ? wouldAllow : wouldAllow.filter(({ kind }) => kind !== 'administrator')
}

export const verdictText = (allowed: boolean) =>
  styled(allowed ? 'green' : 'red', allowed ? 'allowed' : 'denied', process.stdout)

const MARKS = { passed: ' ', decided: '>', skipped: ' ' }

function changeText(change: Change): string {
  switch (change.kind) {
    case 'wait':
      return `wait until ${change.from}`
    case 'activate':
      return `activate ${change.email}`
    case 'administrator':
      return `make them an administrator of ${change.application}`
    case 'role':
      return `assign the role ${change.role} (${change.accessLevel})`
    case 'override': {
      const where = `${change.resourceType}:${change.resourceId}`
      if (change.change === 'remove') return `remove the override on ${where}`
      const level = change.accessLevel === null ? '' : ` at ${change.accessLevel}`
      return `add an override on ${where}${level}`
    }
  }
}
