import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { usageFailure } from '../errors.ts'
import { writePrivateFile } from '../private_file.ts'
import { type Profile, isObject, parseProfileName, parseProfile } from './profile.ts'

export interface Profiles {
  current: string | null
  all: Map<string, Profile>
}

/** See the XDG Base Directory Specification. */
export function profilePath(): string {
  const given = process.env.XDG_CONFIG_HOME
  const base = given && isAbsolute(given) ? given : join(homedir(), '.config')
  return join(base, 'concierge', 'profiles.json')
}

/** @throws Failure when the file is invalid */
export function readProfiles(): Profiles {
  const text = readText()
  if (text === null) return { current: null, all: new Map() }
  const given = parse(text)
  const entries = isObject(given.profiles) ? Object.entries(given.profiles) : []
  const all = new Map(
    entries.map(([name, each]) => [parseProfileName(name), parseProfile(name, each)])
  )
  const current = typeof given.current === 'string' && all.has(given.current) ? given.current : null
  return { current, all }
}

/** @throws Failure when the file cannot be written */
export function writeProfiles({ current, all }: Profiles): void {
  const path = profilePath()
  const text = JSON.stringify({ current, profiles: Object.fromEntries(all) }, null, 2)
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  } catch (error) {
    throw usageFailure(`${path} cannot be written: ${(error as NodeJS.ErrnoException).code}`)
  }
  writePrivateFile(path, `${text}\n`, { replace: true })
}

export function changeProfiles(change: (profiles: Profiles) => void): void {
  const profiles = readProfiles()
  change(profiles)
  writeProfiles(profiles)
}

export function isReadableByOthers(): boolean {
  const found = statSync(profilePath(), { throwIfNoEntry: false })
  return process.platform !== 'win32' && found !== undefined && (found.mode & 0o077) !== 0
}

function readText(): string | null {
  try {
    return readFileSync(profilePath(), 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return null
    throw usageFailure(`${profilePath()} cannot be read: ${code}`)
  }
}

function parse(text: string): Record<string, unknown> {
  try {
    const given: unknown = JSON.parse(text)
    if (isObject(given)) return given
  } catch {
    // Handled below: the parser's message would quote the file.
  }
  throw usageFailure(
    `${profilePath()} is not a valid profile file`,
    'Delete it and sign in again: concierge login'
  )
}
