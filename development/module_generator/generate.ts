import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { outdated, regenerate } from '#development/module_generator/generated_files'
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
  /** Commands that failed to write what they generate, with what they printed. */
  failures: { command: string; output: string }[]
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
  // The commands look at the files, so a change makes all that they write worth looking at.
  const generated = await outdated(request, root)
  const failures = dryRun ? [] : await regenerateAll(generated, root)
  return {
    files: [
      ...planned.map(({ path, state }) => ({ path, action: ACTIONS[state] })),
      ...generated.map(({ path }) => ({ path, action: 'regenerate' as const })),
    ],
    failures,
  }
}

function requireUntouched(planned: PlannedFile[]) {
  const differing = planned.filter(({ state }) => state === 'differs').map(({ path }) => path)
  if (differing.length === 0) return
  const missing = planned.filter(({ state }) => state === 'missing').length
  throw new Obstacle(
    `The module exists and was changed or made with other options: ${differing.length} files differ` +
      `${missing > 0 ? `, ${missing} are missing` : ''}. --force writes them anew`,
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

async function regenerateAll(generated: Awaited<ReturnType<typeof outdated>>, root: string) {
  const failures: Outcome['failures'] = []
  for (const file of generated) {
    const output = await regenerate(file, root)
    if (output !== null) failures.push({ command: file.command, output })
  }
  return failures
}
