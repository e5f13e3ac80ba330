import { Presets, SingleBar } from 'cli-progress'
import { say } from '../terminal/say.ts'

const FORMAT =
  '{bar} {percentage}% | {value} of {total} | {rate}/s | {left} left | {failed} failed, {skipped} skipped'
const LINE_EVERY_MS = 5_000

export interface BroadcastState {
  id: number
  status: string
  total: number
  processed: number
  failed: number
  skipped: number
}

/** Shows how far a broadcast is, on standard error. */
export interface Progress {
  show(broadcast: BroadcastState): void
  end(): void
}

/** A progress bar in terminals, elsewhere a line every five seconds and when the status changes. */
export function createProgress(): Progress {
  return process.stderr.isTTY ? bar() : lines()
}

function bar(): Progress {
  const options = { format: FORMAT, stream: process.stderr, hideCursor: true, gracefulExit: false }
  const single = new SingleBar(options, Presets.shades_classic)
  let first: { processed: number; at: number } | undefined
  return {
    show({ processed, total, failed, skipped }) {
      const isStart = first === undefined
      first ??= { processed, at: performance.now() }
      const rate = ratePerSecond(processed - first.processed, performance.now() - first.at)
      const left = rate > 0 ? duration((total - processed) / rate) : '?'
      const facts = { rate: rate.toFixed(rate < 10 ? 1 : 0), left, failed, skipped }
      if (isStart) single.start(total, processed, facts)
      single.setTotal(total)
      single.update(processed, facts)
    },
    end: () => single.stop(),
  }
}

const ratePerSecond = (count: number, ms: number) => (ms > 0 ? (count * 1_000) / ms : 0)

function duration(seconds: number) {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  return seconds < 5_400 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`
}

function lines(): Progress {
  let shown = { line: '', status: '', at: Number.NEGATIVE_INFINITY }
  let latest = shown
  const write = () => {
    if (latest.line !== shown.line) say(latest.line)
    shown = latest
  }
  return {
    show({ id, status, processed, total, failed, skipped }) {
      const counts = `${processed} of ${total}, ${failed} failed, ${skipped} skipped`
      latest = { line: `Broadcast ${id} ${status}: ${counts}`, status, at: performance.now() }
      if (status !== shown.status || latest.at - shown.at >= LINE_EVERY_MS) write()
    },
    end: write,
  }
}
