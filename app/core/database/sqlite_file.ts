import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const OWNER_ONLY = 0o600
const OWNER_ONLY_FOLDER = 0o700

const BESIDE = ['', '-wal', '-shm', '-lock']

/**
 * Makes the file readable by its owner only. An existing folder may be shared, so it is left alone.
 */
export function protectSqliteFile(path: string) {
  mkdirSync(dirname(path), { recursive: true, mode: OWNER_ONLY_FOLDER })
  closeSync(openSync(path, 'a', OWNER_ONLY))
  for (const file of BESIDE.map((suffix) => path + suffix)) tighten(file)
}

/** Only the owner can change the mode, so other users' files are skipped. */
function tighten(file: string) {
  if (!existsSync(file)) return
  const { mode, uid } = statSync(file)
  if ((mode & 0o077) !== 0 && uid === process.getuid?.()) chmodSync(file, OWNER_ONLY)
}
