import { Presets, SingleBar } from 'cli-progress'
import type Broadcast from '#app/broadcasts/models/broadcast'

const FORMAT =
  '{bar} {percentage}% | {value} of {total} | {rate}/s | {left} left | {failed} failed, {skipped} skipped'

/**
 * A progress bar, or a line every five seconds where there is no terminal. The command line has its
 * own (`packages/cli/src/broadcasts/progress.ts`), because sharing one broke the production build.
 */
export class ProgressBar {
  readonly #bar = new SingleBar(
    {
      format: FORMAT,
      hideCursor: true,
      noTTYOutput: true,
      notTTYSchedule: 5_000,
      stopOnComplete: false,
    },
    Presets.shades_classic
  )
  #first?: { processed: number; at: number }

  show(broadcast: Broadcast) {
    const { total, processed } = broadcast
    const now = performance.now()
    const stats = this.#statsOf(broadcast, now)
    if (this.#first) {
      this.#bar.setTotal(total)
      this.#bar.update(processed, stats)
    } else {
      this.#first = { processed, at: now }
      this.#bar.start(total, processed, stats)
    }
  }

  stop() {
    if (this.#first) this.#bar.stop()
  }

  #statsOf({ total, processed, failed, skipped }: Broadcast, now: number) {
    const { processed: before, at } = this.#first ?? { processed, at: now }
    const rate = now > at ? ((processed - before) * 1_000) / (now - at) : 0
    const left = rate > 0 ? formatDuration((total - processed) / rate) : '?'
    return { rate: rate.toFixed(rate < 10 ? 1 : 0), left, failed, skipped }
  }
}

function formatDuration(seconds: number) {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  return seconds < 5_400 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`
}
