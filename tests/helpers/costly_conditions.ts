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

/** One that uses up its cost limit; each number makes another. */
export const aCostlyCondition = (number: number) =>
  `context.list.all(a, context.list.all(b, a + b > -${number + 1}.0))`
