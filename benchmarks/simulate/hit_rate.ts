/** How often which question is asked: by Zipf's law, a few often and most of them rarely. */
export interface Popularity {
  questions: number
  exponent: number
}

export interface Cache {
  /** Decisions that it holds */
  entries: number
  /** How long it holds each of them */
  seconds: number
}

const BINS = 400

/**
 * The share of questions that a cache answers if it is asked `rate` of them a second. A decision is
 * held for a fixed time after it was made. The one that has not been asked for longest makes room
 * for others (Che's approximation of an LRU cache).
 */
export function hitRate(popularity: Popularity, rate: number, cache: Cache): number {
  const bins = binsOf(popularity)
  const total = bins.reduce((sum, { weight, count }) => sum + weight * count, 0)
  const rated = bins.map(({ weight, count }) => ({ count, rate: (rate * weight) / total }))
  const held = Math.min(cache.seconds, longestHeld(rated, cache.entries))
  const hits = rated.reduce((sum, one) => {
    const asked = one.rate * held
    return sum + one.count * one.rate * (asked / (1 + asked))
  }, 0)
  return hits / rate
}

interface Bin {
  /** Questions of about the same rank */
  count: number
  weight: number
}

/** Ranks in bins that grow, because millions of rare questions hardly differ. */
function binsOf({ questions, exponent }: Popularity): Bin[] {
  const edges = Array.from({ length: BINS + 1 }, (_, index) =>
    Math.round(questions ** (index / BINS))
  )
  return edges.slice(1).flatMap((end, index) => {
    const start = index === 0 ? 0 : edges[index]
    const middle = (start + 1 + end) / 2
    return end > start ? [{ count: end - start, weight: middle ** -exponent }] : []
  })
}

/** How long after a question its decision leaves a cache with so many entries. */
function longestHeld(bins: { count: number; rate: number }[], entries: number): number {
  const used = (seconds: number) =>
    bins.reduce((sum, { count, rate }) => sum + count * (1 - Math.exp(-rate * seconds)), 0)
  let [low, high] = [0, 1e6]
  if (used(high) <= entries) return high
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2
    if (used(middle) > entries) high = middle
    else low = middle
  }
  return low
}
