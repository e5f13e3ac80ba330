import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const OWNER_ONLY = 0o600
const OWNER_ONLY_FOLDER = 0o700

/** SQLite gives these the mode that the database has when it creates them. */
const BESIDE = ['', '-wal', '-shm', '-lock']

/**
 * Makes sure that the database exists and that nobody but its owner can read it, whatever the umask is. A folder is only
 * protected when it is created here: one that was there may be for others, too.
 */
export function protectSqliteFile(path: string) {
  mkdirSync(dirname(path), { recursive: true, mode: OWNER_ONLY_FOLDER })
  closeSync(openSync(path, 'a', OWNER_ONLY))
  for (const file of BESIDE.map((suffix) => path + suffix)) tighten(file)
}

/** Only the owner may, so the file of somebody else stays as it is. */
function tighten(file: string) {
  if (!existsSync(file)) return
  const { mode, uid } = statSync(file)
  if ((mode & 0o077) !== 0 && uid === process.getuid?.()) chmodSync(file, OWNER_ONLY)
}
