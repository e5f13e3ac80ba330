import { fork } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { WorkPlaces } from '#core/database/work_places'
import { MalformedJson, ValidationError } from '#core/exceptions/problems'
import { MalformedYaml } from '#app/policies/exceptions'
import type { YamlReply, YamlTask } from '#app/policies/yaml/yaml_worker'

const MAX_PROCESSES = 2
/** The time includes the start of the process. */
const LIMITS = { elapsedMs: 10_000, memoryMiB: 256 }
/** How a process ends that has used its memory: by itself, or by the system. */
const OUT_OF_MEMORY = new Set<NodeJS.Signals | null>(['SIGABRT', 'SIGKILL'])

const EXTENSION = extname(import.meta.filename)
const ENTRY = fileURLToPath(new URL(`./yaml_worker${EXTENSION}`, import.meta.url))
const LOADER = EXTENSION === '.ts' ? ['--import=@poppinss/ts-exec'] : []

const processes = new WorkPlaces({
  capacity: MAX_PROCESSES,
  forSlow: MAX_PROCESSES - 1,
  slowMs: 2_000,
  detail: 'Too many YAML documents are being read or written',
})
const REFUSALS = [MalformedYaml, MalformedJson, ValidationError]

/**
 * Reads or writes YAML in a process of its own, because even a small text can take unlimited time
 * and memory. A thread that runs out of memory can end this process, whatever its limits are.
 *
 * @param caller whose tasks run one after another
 * @throws MalformedYaml, MalformedJson, ValidationError, Overloaded
 */
export async function inYamlProcess(
  caller: string,
  task: YamlTask,
  limits = LIMITS
): Promise<unknown> {
  return processes.run(caller, async () => resultOf(await run(task, limits)))
}

async function run(task: YamlTask, { elapsedMs, memoryMiB }: typeof LIMITS): Promise<YamlReply> {
  const { promise, resolve, reject } = Promise.withResolvers<YamlReply>()
  const child = fork(ENTRY, {
    execArgv: [...LOADER, `--max-old-space-size=${memoryMiB}`],
    // No secrets from the environment
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const tooComplex = () => {
    reject(new MalformedYaml({ detail: 'The text takes too much time or memory to read' }))
  }
  const timer = setTimeout(tooComplex, elapsedMs)
  child.once('message', (reply) => resolve(reply as YamlReply))
  child.once('error', reject)
  child.once('exit', (code, signal) => {
    if (OUT_OF_MEMORY.has(signal)) tooComplex()
    else reject(new Error(`The process has ended with ${signal ?? code}`))
  })
  child.send(task, (error) => error && reject(error))
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    child.kill('SIGKILL')
  }
}

function resultOf(reply: YamlReply): unknown {
  if ('result' in reply) return reply.result
  const { code, detail, details } = reply.refused
  const Refusal = REFUSALS.find(({ kind }) => kind.code === code)
  if (!Refusal) throw new Error(detail)
  throw new Refusal({ detail, details: { ...details } })
}
