import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const PRIVATE_FILE = 0o600
const PRIVATE_FOLDER = 0o700

const FILE_SUFFIXES = ['', '-wal', '-shm', '-lock']

/**
 * Makes the file readable by its owner only. An existing folder may be shared, so it is left alone.
 */
export function protectSqliteFile(path: string) {
  mkdirSync(dirname(path), { recursive: true, mode: PRIVATE_FOLDER })
  closeSync(openSync(path, 'a', PRIVATE_FILE))
  for (const file of FILE_SUFFIXES.map((suffix) => path + suffix)) makePrivate(file)
}

/** Only the owner can change the mode, so other users' files are skipped. */
function makePrivate(file: string) {
  if (!existsSync(file)) return
  const { mode, uid } = statSync(file)
  if ((mode & 0o077) !== 0 && uid === process.getuid?.()) chmodSync(file, PRIVATE_FILE)
}
