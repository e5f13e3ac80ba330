import { option } from '@/api/commands'

/** When something counts, in ISO 8601. Null leaves a side open. */
export interface TimeWindow {
  validFrom: string | null
  validUntil: string | null
}

export const ALWAYS: TimeWindow = { validFrom: null, validUntil: null }

export const windowOf = ({ validFrom, validUntil }: TimeWindow): TimeWindow => {
  return { validFrom, validUntil }
}

export const isSameWindow = (a: TimeWindow, b: TimeWindow) =>
  a.validFrom === b.validFrom && a.validUntil === b.validUntil

/** The sides that are limited, for a request that limits nothing by default. */
export const limitsOf = ({ validFrom, validUntil }: TimeWindow) => ({
  ...(validFrom && { validFrom }),
  ...(validUntil && { validUntil }),
})

/** The options of a `concierge` command. */
export const windowOptions = ({ validFrom, validUntil }: Record<string, unknown>): string[] => [
  ...option('from', validFrom),
  ...option('until', validUntil),
]
