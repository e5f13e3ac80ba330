import { Presets, SingleBar } from 'cli-progress'
import type { components } from '@concierge/client'
import { say } from '../terminal/say.ts'

export type Broadcast = components['schemas']['Broadcast']

/** A progress bar in terminals, a line per change elsewhere. */
export interface Progress {
  show(broadcast: Broadcast): void
  end(): void
}

export function createProgress(): Progress {
  return process.stderr.isTTY ? bar() : lines()
}

function bar(): Progress {
  const format = '{bar} {percentage}% | {value}/{total} | {status} | {failed} failed'
  const options = { format, stream: process.stderr, hideCursor: true, gracefulExit: false }
  const single = new SingleBar(options, Presets.shades_classic)
  let isStarted = false
  return {
    show({ processed, total, status, failed }) {
      if (!isStarted) single.start(total, processed, { status, failed })
      isStarted = true
      single.setTotal(total)
      single.update(processed, { status, failed })
    },
    end: () => single.stop(),
  }
}

function lines(): Progress {
  let told = ''
  return {
    show({ id, processed, total, status, failed, skipped }) {
      const line = `Broadcast ${id} ${status}: ${processed} of ${total}, ${failed} failed, ${skipped} skipped`
      if (line !== told) say(line)
      told = line
    },
    end: () => {},
  }
}
