import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  type GeneratedFile,
  outdated,
  regenerate,
} from '#development/module_generator/generated_files'
import { type PlannedFile, planModule } from '#development/module_generator/plan'
import { Obstacle } from '#development/module_generator/refusal'
import type { ModuleRequest } from '#development/module_generator/stub_data'

export interface Options {
  dryRun?: boolean
  /** Files of the module that hold something else are written anew. */
  force?: boolean
}

export interface FileResult {
  path: string
  action: 'create' | 'overwrite' | 'extend' | 'regenerate' | 'keep'
}

export interface Outcome {
  files: FileResult[]
  /** A command that failed to write what it generates, what it printed, and those that come after it. */
  failure: { command: string; output: string; remaining: string[] } | null
}

const ACTIONS = {
  'missing': 'create',
  'differs': 'overwrite',
  'extend': 'extend',
  'as planned': 'keep',
} as const

/**
 * Generates a module into the project at `root`, or completes one: what is there already stays.
 *
 * @throws Refusal for a request that cannot be met
 * @throws Obstacle when files of the module hold something else and `force` is not given; nothing is written then
 */
export async function generateModule(
  request: ModuleRequest,
  root: string,
  { dryRun = false, force = false }: Options = {}
): Promise<Outcome> {
  const planned = await planModule(request, root)
  if (!force) requireUntouched(planned)
  const changing = planned.filter(({ state }) => state !== 'as planned')
  if (!dryRun) await write(changing, root)
  const sources = changing.map(({ path }) => path)
  const generated = await outdated(request, sources, root)
  const failure = dryRun ? null : await regenerateAll(generated, root)
  return {
    files: [
      ...planned.map(({ path, state }) => ({ path, action: ACTIONS[state] })),
      ...generated.map(({ path }) => ({ path, action: 'regenerate' as const })),
    ],
    failure,
  }
}

function requireUntouched(planned: PlannedFile[]) {
  const differing = planned.filter(({ state }) => state === 'differs').map(({ path }) => path)
  if (differing.length === 0) return
  const missing = planned.filter(({ state }) => state === 'missing').length
  const differs = differing.length === 1 ? '1 file differs' : `${differing.length} files differ`
  const lacks = missing === 0 ? '' : `, ${missing} ${missing === 1 ? 'is' : 'are'} missing`
  throw new Obstacle(
    `The module exists, and was changed or made with other options (${differs}${lacks}); --force writes all of it anew`,
    differing
  )
}

async function write(files: PlannedFile[], root: string) {
  for (const { path, contents, state } of files) {
    const file = join(root, path)
    await mkdir(dirname(file), { recursive: true })
    // Nothing that came to be since the plan was made is overwritten.
    await writeFile(file, contents, { flag: state === 'missing' ? 'wx' : 'w' })
  }
}

async function regenerateAll(
  generated: GeneratedFile[],
  root: string
): Promise<Outcome['failure']> {
  const commands = generated.map(({ command }) => command)
  for (const [index, file] of generated.entries()) {
    const output = await regenerate(file, root)
    if (output === null) continue
    return { command: file.command, output, remaining: commands.slice(index + 1) }
  }
  return null
}
