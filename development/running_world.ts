import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Settings that say where a world is and whom its tokens are for. None is secret. */
const NAMES = [
  'HOST',
  'PORT',
  'APP_URL',
  'DEVELOPMENT_IDP_PORT',
  'DEVELOPMENT_SMTP_PORT',
  'DEVELOPMENT_MAILBOX_PORT',
  'DEVELOPMENT_INBOX_PORT',
  'IDP_ISSUER',
  'IDP_AUDIENCE',
]

const fileIn = (folder: string) => join(folder, 'running.json')

/** Stores the settings of this process for commands that run beside it. */
export function storeRunningWorld(folder: string) {
  const settings = NAMES.map((name) => [name, process.env[name]]).filter(([, value]) => value)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(fileIn(folder), JSON.stringify(Object.fromEntries(settings)), { mode: 0o600 })
}

/** @returns nothing if no world runs, or if the file is damaged */
export function readRunningWorld(folder: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(fileIn(folder), 'utf8')) as Record<string, string>
  } catch {
    return {}
  }
}

export const removeRunningWorld = (folder: string) => rmSync(fileIn(folder), { force: true })
