import type { ConditionVariables } from '#app/permissions/conditions/condition_variables'

const LENGTH = 1_000

/** With a list that conditions can go through again and again. */
export function costlyVariables(): ConditionVariables {
  return {
    subject: { id: '1', email: 'ada@acme.example', properties: {} },
    resource: { type: '', id: '', properties: {} },
    action: { name: 'p', properties: {} },
    context: { list: Array.from({ length: LENGTH }, (_, index) => index) },
    now: new Date(),
  }
}

const LONGEST = 1_000
const REPEATED = ' && [1].all(x, x < 5)'
let numbers = 0

/** As long as conditions can be, and new to the process. */
export function aLongCondition(value: 'true' | 'false' = 'true') {
  const start = `${value} && ${numbers++} < ${Date.now()}`
  return start + REPEATED.repeat((LONGEST - start.length) / REPEATED.length)
}

/** One that uses up its cost limit; each number makes another. */
export const aCostlyCondition = (number: number) =>
  `context.list.all(a, context.list.all(b, a + b > -${number + 1}.0))`
