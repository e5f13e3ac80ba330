import { extname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { TemplateSyntax, TemplateTooComplex } from '#app/notifications/exceptions'
import type { WorkerMessage } from '#app/notifications/preparation/preparation_worker'
import type { PreparedTexts, VersionTexts } from '#app/notifications/preparation/prepare_texts'

export interface ThreadLimits {
  computeMs: number
  elapsedMs: number
  memoryMiB: number
}

const START_TIMEOUT_MS = 20_000
// A thread that does not report its CPU time in time is stuck in a native call.
const CPU_REPORT_TIMEOUT_MS = 1_000

const EXTENSION = extname(import.meta.filename)
const ENTRY = new URL(`./preparation_worker${EXTENSION}`, import.meta.url)
const LOADER = EXTENSION === '.ts' ? ['--import=@poppinss/ts-exec'] : []

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
      // No secrets from the environment
      env: {},
      resourceLimits: {
        maxOldGenerationSizeMb: limits.memoryMiB - young,
        maxYoungGenerationSizeMb: young,
      },
    })
    this.#worker.once('exit', () => (this.#isAlive = false))
    this.#worker.on('error', () => {})
    const starting = setTimeout(() => void this.end(), START_TIMEOUT_MS).unref()
    this.#started = this.#nextMessage().then(() => clearTimeout(starting))
    this.#started.catch(() => {})
    this.#worker.unref()
  }

  get isAlive() {
    return this.#isAlive
  }

  /** @throws TemplateSyntax, TemplateTooComplex */
  async prepare(texts: VersionTexts): Promise<PreparedTexts> {
    this.#worker.ref()
    try {
      await this.#started
      return resultOf(await this.#request(texts))
    } finally {
      this.#worker.unref()
    }
  }

  async end() {
    this.#isAlive = false
    await this.#worker.terminate()
  }

  async #request(texts: VersionTexts): Promise<WorkerMessage> {
    const replied = new AbortController()
    const before = this.#cpuMs()
    const message = this.#nextMessage()
    this.#worker.postMessage(texts)
    try {
      return await Promise.race([message, this.#rejectAtLimit(before, replied.signal)])
    } catch (error) {
      void this.end()
      throw error
    } finally {
      message.catch(() => {})
      replied.abort()
    }
  }

  /** The thread cannot report by itself that it ran out of memory. */
  #nextMessage(): Promise<WorkerMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<WorkerMessage>()
    const onError = (error: Error) => reject(isOutOfMemory(error) ? tooComplex(error) : error)
    const onExit = () => reject(new Error('The thread has ended'))
    const worker = this.#worker.on('message', resolve).on('error', onError).on('exit', onExit)
    return promise.finally(() => {
      worker.off('message', resolve).off('error', onError).off('exit', onExit)
    })
  }

  async #rejectAtLimit(before: Promise<number>, signal: AbortSignal): Promise<never> {
    const { computeMs, elapsedMs } = this.#limits
    const began = performance.now()
    for (let left = computeMs; left > 0;) {
      await pause(left, undefined, { signal, ref: false })
      const used = (await this.#cpuMs()) - (await before)
      left = Math.ceil(Math.min(computeMs - used, elapsedMs - (performance.now() - began)))
    }
    throw tooComplex()
  }

  /** The CPU time so far; `Infinity` if the thread does not report it. */
  async #cpuMs(): Promise<number> {
    const silence = new AbortController()
    const silent = pause(CPU_REPORT_TIMEOUT_MS, Infinity, { signal: silence.signal, ref: false })
    try {
      const reported = this.#worker.cpuUsage().then(({ user, system }) => (user + system) / 1_000)
      return await Promise.race([reported, silent])
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

function resultOf(reply: WorkerMessage): PreparedTexts {
  if (reply.kind === 'prepared') return reply.prepared
  if (reply.kind !== 'refused') {
    throw new Error(reply.kind === 'failed' ? reply.message : 'The thread sent no reply')
  }
  const { code, detail, details } = reply
  if (code === 'tooComplex') throw new TemplateTooComplex({ detail, details })
  const error = new TemplateSyntax(detail, Number(details.line))
  Object.assign(error.details, details)
  throw error
}
