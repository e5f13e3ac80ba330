import type { components } from '@concierge/client'
import type { PageOfRows } from '@/api/paged'

/** A decision that a change would turn into another. */
export type Flip = components['schemas']['Flip']
export type FlipState = Flip['before']

/** So many flips are shown at once: each page tries the changes out again. */
export const FLIPS_PER_PAGE = 50

export interface FlipCounts {
  total: number
  gained: number
  lost: number
  /** Decisions that could flip with other attributes. */
  conditional: number
}

interface Found extends FlipCounts {
  flips: Flip[]
  nextCursor: string | null
}

export const flipPageOf = ({
  flips,
  nextCursor,
  ...counts
}: Found): PageOfRows<Flip> & { counts: FlipCounts } => {
  const { total, gained, lost, conditional } = counts
  return { rows: flips, next: nextCursor, total, counts: { total, gained, lost, conditional } }
}

const LEVELS = ['allowed', 'view', 'edit']

const rankOf = ({ level }: FlipState) => (level === null ? -1 : LEVELS.indexOf(level))

export const isGain = ({ before, after }: Flip) => rankOf(after) > rankOf(before)
