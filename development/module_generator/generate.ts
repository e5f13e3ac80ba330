import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  type GeneratedFile,
  outdatedFiles,
  regenerateFile,
} from '#development/module_generator/generated_files'
import { type PlannedFile, planModule } from '#development/module_generator/plan'
import { ProjectConflict } from '#development/module_generator/generator_errors'
import type { ModuleRequest } from '#development/module_generator/stub_data'

export interface Options {
  dryRun?: boolean
  /** Overwrite files of the module that differ. */
  force?: boolean
}

export interface FileResult {
  path: string
  action: 'create' | 'overwrite' | 'extend' | 'regenerate' | 'keep'
}

export interface Outcome {
  files: FileResult[]
  /** A failed command, its output, and the commands that remain. */
  failure: { command: string; output: string; remaining: string[] } | null
}

const ACTIONS = {
  'missing': 'create',
  'differs': 'overwrite',
  'extend': 'extend',
  'as planned': 'keep',
} as const

/**
 * Creates a module, or completes it without changing what exists.
 * @throws InvalidModuleRequest for an invalid request
 * @throws ProjectConflict if files of the module differ and `force` is not set; nothing is written
 */
export async function generateModule(
  request: ModuleRequest,
  root: string,
  { dryRun = false, force = false }: Options = {}
): Promise<Outcome> {
  const planned = await planModule(request, root)
  if (!force) requireUnchanged(planned)
  const changing = planned.filter(({ state }) => state !== 'as planned')
  if (!dryRun) await writeFiles(changing, root)
  const sources = changing.map(({ path }) => path)
  const generated = await outdatedFiles(request, sources, root)
  const failure = dryRun ? null : await regenerateAll(generated, root)
  return {
    files: [
      ...planned.map(({ path, state }) => ({ path, action: ACTIONS[state] })),
      ...generated.map(({ path }) => ({ path, action: 'regenerate' as const })),
    ],
    failure,
  }
}

function requireUnchanged(planned: PlannedFile[]) {
  const differing = planned.filter(({ state }) => state === 'differs').map(({ path }) => path)
  if (differing.length === 0) return
  const missing = planned.filter(({ state }) => state === 'missing').length
  const differs = differing.length === 1 ? '1 file differs' : `${differing.length} files differ`
  const lacking = missing === 0 ? '' : `, ${missing} ${missing === 1 ? 'is' : 'are'} missing`
  throw new ProjectConflict(
    `The module exists and was changed or generated with other options (${differs}${lacking}). --force overwrites it`,
    differing
  )
}

async function writeFiles(files: PlannedFile[], root: string) {
  for (const { path, contents, state } of files) {
    const file = join(root, path)
    await mkdir(dirname(file), { recursive: true })
    // `wx` protects files created since the plan was made.
    await writeFile(file, contents, { flag: state === 'missing' ? 'wx' : 'w' })
  }
}

async function regenerateAll(
  generated: GeneratedFile[],
  root: string
): Promise<Outcome['failure']> {
  const commands = generated.map(({ command }) => command)
  for (const [index, file] of generated.entries()) {
    const output = await regenerateFile(file, root)
    if (output === null) continue
    return { command: file.command, output, remaining: commands.slice(index + 1) }
  }
  return null
}
