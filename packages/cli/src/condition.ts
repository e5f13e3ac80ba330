import type { Command } from 'commander'

export interface ConditionOption {
  when?: string
}

export const onCondition = (target: Command) =>
  target.option('--when <cel>', 'condition, such as \'resource.properties.status == "open"\'')
