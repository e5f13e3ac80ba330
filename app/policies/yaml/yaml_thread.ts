import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { MalformedJson, Overloaded, ValidationError } from '#core/exceptions/problems'
import { Budget } from '#core/values/budget'
import { Deadline } from '#core/values/deadline'
import { MalformedYaml } from '#app/policies/exceptions'
import type { YamlReply, YamlTask } from '#app/policies/yaml/yaml_worker'

const MAX_THREADS = 2
const MAX_PER_CALLER = 1
const MAX_WAIT_MS = 5_000
/** Includes the start of the thread. */
const MAX_MS = 10_000
const MAX_MEMORY_MIB = 256

const EXTENSION = extname(import.meta.filename)
const ENTRY = new URL(`./yaml_worker${EXTENSION}`, import.meta.url)
const LOADER = EXTENSION === '.ts' ? ['--import=@poppinss/ts-exec'] : []

const threads = new Budget(MAX_THREADS, MAX_PER_CALLER)
const REFUSALS = [MalformedYaml, MalformedJson, ValidationError]

/**
 * Reads or writes YAML in a thread, because even a small text can take unlimited time.
 *
 * @param caller whose tasks run one after another
 * @throws MalformedYaml, MalformedJson, ValidationError, Overloaded
 */
export async function inYamlThread(caller: string, task: YamlTask): Promise<unknown> {
  const reservation = await threads.reserve(caller, 1, new Deadline(MAX_WAIT_MS))
  if (reservation === null) throw new Overloaded({ headers: { 'retry-after': '5' } })
  try {
    return resultOf(await run(task))
  } finally {
    reservation.release()
  }
}

async function run(task: YamlTask): Promise<YamlReply> {
  const { promise, resolve, reject } = Promise.withResolvers<YamlReply>()
  const worker = new Worker(ENTRY, {
    workerData: task,
    execArgv: LOADER,
    // No secrets from the environment
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MIB },
  })
  const tooComplex = () => reject(new MalformedYaml({ detail: 'The text takes too long to read' }))
  const timer = setTimeout(tooComplex, MAX_MS)
  worker.once('message', resolve)
  worker.once('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') tooComplex()
    else reject(error)
  })
  worker.once('exit', () => reject(new Error('The thread has ended')))
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}

function resultOf(reply: YamlReply): unknown {
  if ('result' in reply) return reply.result
  const { code, detail, details } = reply.refused
  const Refusal = REFUSALS.find(({ kind }) => kind.code === code)
  if (!Refusal) throw new Error(detail)
  throw new Refusal({ detail, details: { ...details } })
}
