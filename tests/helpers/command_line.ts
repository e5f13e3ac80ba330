import { type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { projectPath } from '#core/process/root'
import { serviceUrl } from '#tests/helpers/send'
import { INTERNAL_KEY, SUPER_ADMIN, issuer } from '#tests/world/prepare'

export const COMMAND = join(projectPath(), 'packages/cli/bin/concierge.js')

export interface Outcome {
  code: number | null
  stdout: string
  stderr: string
}

export interface CommandLineSettings {
  /** Additional environment; undefined unsets a variable. */
  env?: Record<string, string | undefined>
  /** The contents of stdin. */
  input?: string
}

/** An operator's machine with its own settings folder, and no terminal. */
export function aMachine() {
  const folder = mkdtempSync(join(tmpdir(), 'concierge-cli-'))
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const environment = { PATH, NODE_COMPILE_CACHE, HOME: folder, XDG_CONFIG_HOME: folder }

  const start = (args: string[], { env }: CommandLineSettings = {}) => {
    const stdio: SpawnOptions['stdio'] = ['pipe', 'pipe', 'pipe']
    return spawn(process.execPath, [COMMAND, ...args], {
      cwd: folder,
      env: { ...environment, ...env },
      stdio,
    })
  }

  const run = async (args: string[], settings: CommandLineSettings = {}): Promise<Outcome> => {
    const child = start(args, settings)
    // The program may end without reading.
    child.stdin!.on('error', () => {}).end(settings.input ?? '')
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout!),
      text(child.stderr!),
      once(child, 'exit'),
    ])
    return { code, stdout, stderr }
  }

  return { folder, profiles: join(folder, 'concierge/profiles.json'), start, run }
}

export async function operator(email = SUPER_ADMIN) {
  return {
    CONCIERGE_URL: serviceUrl(),
    CONCIERGE_TOKEN: await issuer.token(email),
    CONCIERGE_INTERNAL_KEY: INTERNAL_KEY,
  }
}
