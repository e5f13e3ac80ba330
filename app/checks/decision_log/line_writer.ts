import { setTimeout as pause } from 'node:timers/promises'
import sonicBoom from 'sonic-boom'
import logger from '@adonisjs/core/services/logger'
import { describeError } from '#core/exceptions/describe_error'

const { SonicBoom } = sonicBoom

const STDOUT = 'stdout'
/** What waits for a slow disk. Beyond that, lines are lost. */
const MAX_WAITING_BYTES = 8_388_608
/** Beyond this half, lines of an owner with more than a quarter are lost. */
const FREE_FOR_ALL_BYTES = MAX_WAITING_BYTES / 2
const MAX_BYTES_OF_OWNER = MAX_WAITING_BYTES / 4
/** A pipe takes so many bytes at once, so lines of other writers do not split ours. */
const MAX_WRITE_BYTES = 4_096
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

/** How much is not written yet, in total and for each owner. */
class Backlog {
  bytes = 0
  readonly #bytesOf = new Map<string, number>()

  of(owner: string): number {
    return this.#bytesOf.get(owner) ?? 0
  }

  add(owner: string, bytes: number) {
    this.bytes += bytes
    this.#bytesOf.set(owner, this.of(owner) + bytes)
  }

  addAll(other: Backlog) {
    for (const [owner, bytes] of other.#bytesOf) this.add(owner, bytes)
  }
}

/** Appends lines to a file or to standard output. Never waits, and never fails. */
export class LineWriter {
  /** How many lines could not be written. */
  lost = 0
  readonly #target: string
  #stream?: InstanceType<typeof SonicBoom>
  #waiting: string[] = []
  /** Of the lines that wait here */
  #backlog = new Backlog()
  /** Of the lines that the stream has not written yet */
  #inStream = new Backlog()
  #isScheduled = false
  #isWriting = false
  #warnedAt = -Infinity

  constructor(target: string) {
    this.#target = target
  }

  /**
   * @param line without its end
   * @param owner whose lines are lost first if the target is slow and most of them are theirs
   */
  write(line: string, owner: string) {
    if (!this.#hasRoomFor(line, owner)) {
      this.lost++
      return
    }
    this.#waiting.push(line)
    this.#backlog.add(owner, line.length)
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

  #hasRoomFor(line: string, owner: string): boolean {
    const bytes = this.#backlog.bytes + this.#inStream.bytes + line.length
    if (bytes <= FREE_FOR_ALL_BYTES) return true
    const ofOwner = this.#backlog.of(owner) + this.#inStream.of(owner) + line.length
    return bytes <= MAX_WAITING_BYTES && ofOwner <= MAX_BYTES_OF_OWNER
  }

  #pass() {
    this.#isScheduled = false
    const lines = this.#waiting
    if (lines.length === 0) return
    this.#waiting = []
    this.#inStream.addAll(this.#backlog)
    this.#backlog = new Backlog()
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
      this.#inStream = new Backlog()
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
