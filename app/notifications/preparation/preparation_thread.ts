import { extname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { TemplateSyntax, TemplateTooComplex } from '#app/notifications/exceptions'
import type { Answer } from '#app/notifications/preparation/preparation_worker'
import type { PreparedTexts, VersionTexts } from '#app/notifications/preparation/prepare_texts'

export interface ThreadLimits {
  /** The CPU time that one pair of texts may take. */
  computeMs: number
  /** The elapsed time that it may take on a busy machine. */
  elapsedMs: number
  memoryMiB: number
}

const START_WITHIN_MS = 20_000
/** A thread that does not report its CPU time is stuck in a native call. */
const TELL_WITHIN_MS = 1_000

/** The thread's entry file has the same extension as this file. */
const EXTENSION = extname(import.meta.filename)
const ENTRY = new URL(`./preparation_worker${EXTENSION}`, import.meta.url)
const LOADER = EXTENSION === '.ts' ? ['--import=@poppinss/ts-exec'] : []

/**
 * A thread that prepares one pair of texts at a time and is ended when it exceeds its limits.
 */
export class PreparationThread {
  readonly #worker: Worker
  readonly #limits: ThreadLimits
  readonly #started: Promise<void>
  #isAlive = true

  constructor(limits: ThreadLimits) {
    this.#limits = limits
    const young = Math.ceil(limits.memoryMiB / 4)
    this.#worker = new Worker(ENTRY, {
      execArgv: LOADER,
      // It needs no environment, so it gets no secrets.
      env: {},
      resourceLimits: {
        maxOldGenerationSizeMb: limits.memoryMiB - young,
        maxYoungGenerationSizeMb: young,
      },
    })
    this.#worker.once('exit', () => (this.#isAlive = false))
    // The caller that waits for an answer handles this error.
    this.#worker.on('error', () => {})
    const starting = setTimeout(() => void this.end(), START_WITHIN_MS).unref()
    this.#started = this.#hear().then(() => clearTimeout(starting))
    this.#started.catch(() => {})
    this.#worker.unref()
  }

  /** False once it has ended. */
  get isAlive() {
    return this.#isAlive
  }

  /** @throws TemplateSyntax, TemplateTooComplex */
  async prepare(texts: VersionTexts): Promise<PreparedTexts> {
    this.#worker.ref()
    try {
      await this.#started
      return resultOf(await this.#answerTo(texts))
    } finally {
      this.#worker.unref()
    }
  }

  async end() {
    this.#isAlive = false
    await this.#worker.terminate()
  }

  async #answerTo(texts: VersionTexts): Promise<Answer> {
    const answered = new AbortController()
    const before = this.#cpuMs()
    const hearing = this.#hear()
    this.#worker.postMessage(texts)
    try {
      return await Promise.race([hearing, this.#exceed(before, answered.signal)])
    } catch (error) {
      // It may still be computing.
      void this.end()
      throw error
    } finally {
      hearing.catch(() => {})
      answered.abort()
    }
  }

  /** Its next message. Running out of memory is an error that it cannot report itself. */
  #hear(): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const onError = (error: Error) => reject(isOutOfMemory(error) ? tooComplex(error) : error)
    const onExit = () => reject(new Error('The thread has ended'))
    const worker = this.#worker.on('message', resolve).on('error', onError).on('exit', onExit)
    return promise.finally(() => {
      worker.off('message', resolve).off('error', onError).off('exit', onExit)
    })
  }

  /** Rejects when the texts have computed for too long. */
  async #exceed(before: Promise<number>, signal: AbortSignal): Promise<never> {
    const { computeMs, elapsedMs } = this.#limits
    const began = performance.now()
    for (let left = computeMs; left > 0;) {
      await pause(left, undefined, { signal, ref: false })
      const used = (await this.#cpuMs()) - (await before)
      left = Math.ceil(Math.min(computeMs - used, elapsedMs - (performance.now() - began)))
    }
    throw tooComplex()
  }

  /** The CPU time of the thread so far; infinite if it does not report it. */
  async #cpuMs(): Promise<number> {
    const silence = new AbortController()
    const silent = pause(TELL_WITHIN_MS, Infinity, { signal: silence.signal, ref: false })
    try {
      const told = this.#worker.cpuUsage().then(({ user, system }) => (user + system) / 1_000)
      return await Promise.race([told, silent])
    } catch {
      return Infinity
    } finally {
      silent.catch(() => {})
      silence.abort()
    }
  }
}

const isOutOfMemory = (error: Error) => 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'

const tooComplex = (cause?: Error) =>
  new TemplateTooComplex({ details: { field: 'bodyTemplate' }, cause })

/** @throws TemplateSyntax, TemplateTooComplex */
function resultOf(answer: Answer): PreparedTexts {
  if (answer.kind === 'prepared') return answer.prepared
  if (answer.kind !== 'refused') {
    throw new Error(answer.kind === 'failed' ? answer.message : 'The thread was not asked')
  }
  const { code, detail, details } = answer
  if (code === 'tooComplex') throw new TemplateTooComplex({ detail, details })
  const error = new TemplateSyntax(detail, Number(details.line))
  Object.assign(error.details, details)
  throw error
}
