import { setTimeout as pause } from 'node:timers/promises'
import sonicBoom from 'sonic-boom'
import logger from '@adonisjs/core/services/logger'
import { describeError } from '#core/exceptions/describe_error'
import { RecentUse } from '#core/values/recent_use'

const { SonicBoom } = sonicBoom

const STDOUT = 'stdout'
/** What waits for a slow disk or pipe. Beyond that, lines are lost. */
const MAX_WAITING_BYTES = 8_388_608
/**
 * An owner may recently have used this share of the room that is left. Further lines of the owner
 * are lost, so that others have room even if a pipe takes less than one owner would write.
 */
const OWNER_SHARE = 1 / 4
/** Lets an owner write 1.4 MiB a second. */
const HALF_LIFE_MS = 1_000
/** A pipe takes so many bytes at once, so lines of other writers do not split ours. */
const MAX_WRITE_BYTES = 4_096
/** Longer lines can be split. The rest is for the end of the line. */
export const MAX_LINE_BYTES = MAX_WRITE_BYTES - 1
/**
 * A file takes any number. A busy process starts one write in each turn of the event loop, so more
 * than a few lines have to go into it.
 */
const MOST_LINES_OF_FILE = 500
/** Of a new file: its lines name people, and the group is for what collects logs. */
const MODE = 0o640
const WARN_EVERY_MS = 60_000
/** How long a process that stops waits for its last lines. */
const MAX_END_MS = 1_000

/** Appends lines to a file or standard output. Never waits and never fails; lines may be lost. */
export class LineWriter {
  /** How many lines were lost: no room, an owner with too many, or a failed write. */
  lost = 0
  readonly #target: string
  #stream?: InstanceType<typeof SonicBoom>
  #waiting: string[] = []
  /** Of the lines that wait here */
  #waitingBytes = 0
  /** Of the lines that the stream has not written yet */
  #streamBytes = 0
  /** How many bytes of lines each owner had lately */
  readonly #recent = new RecentUse(HALF_LIFE_MS)
  #isScheduled = false
  #isWriting = false
  #warnedAt = -Infinity

  constructor(target: string) {
    this.#target = target
  }

  /**
   * @param owner who has a limit, so that the lines of others have room
   * @param format returns a line without its end; not called if the line is lost
   */
  write(owner: string, format: () => string) {
    const now = performance.now()
    if (!this.#hasRoomFor(owner, now)) {
      this.lost++
      return
    }
    const line = format()
    const bytes = Buffer.byteLength(line)
    this.#waiting.push(line)
    this.#waitingBytes += bytes
    this.#recent.add(owner, bytes, now)
    if (this.#isScheduled || this.#isWriting) return
    // The lines of one turn of the event loop go to the stream together.
    this.#isScheduled = true
    setImmediate(() => this.#pass())
  }

  /** Writes what can be written. */
  async end(): Promise<void> {
    this.#pass()
    const stream = this.#stream
    if (stream === undefined) return
    const ended = new Promise<void>((resolve) => {
      stream.once('close', resolve)
      stream.once('error', () => resolve())
    })
    stream.end()
    await Promise.race([ended, pause(MAX_END_MS, null, { ref: false })])
  }

  #hasRoomFor(owner: string, now: number): boolean {
    const room = MAX_WAITING_BYTES - this.#waitingBytes - this.#streamBytes
    return this.#recent.of(owner, now) < room * OWNER_SHARE
  }

  #pass() {
    this.#isScheduled = false
    const lines = this.#waiting
    if (lines.length === 0) return
    this.#waiting = []
    this.#streamBytes += this.#waitingBytes
    this.#waitingBytes = 0
    this.#isWriting = true
    this.#stream ??= this.#open()
    const most = this.#target === STDOUT ? 1 : MOST_LINES_OF_FILE
    for (let start = 0; start < lines.length; start += most) {
      this.#stream.write(`${lines.slice(start, start + most).join('\n')}\n`)
    }
  }

  #open() {
    const where =
      this.#target === STDOUT ? { fd: 1 } : { dest: this.#target, mkdir: true, mode: MODE }
    const limits = { maxLength: MAX_WAITING_BYTES, maxWrite: MAX_WRITE_BYTES }
    const stream = new SonicBoom({ ...where, ...limits, sync: false })
    stream.on('drop', (lines: string) => {
      this.lost += lines.split('\n').length - 1
    })
    stream.on('drain', () => {
      this.#streamBytes = 0
      this.#isWriting = false
      this.#pass()
    })
    stream.on('error', (error: unknown) => {
      this.#warn(error)
      // The next line makes the stream try again.
      this.#isWriting = false
    })
    return stream
  }

  #warn(error: unknown) {
    if (performance.now() - this.#warnedAt < WARN_EVERY_MS) return
    this.#warnedAt = performance.now()
    logger.error({ error: describeError(error) }, 'The decision log could not be written')
  }
}
