import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const OWNER_ONLY = 0o600
const OWNER_ONLY_FOLDER = 0o700

/** SQLite creates these with the mode of the database file. */
const BESIDE = ['', '-wal', '-shm', '-lock']

/**
 * Creates the database if needed and makes it readable only by its owner, whatever the umask. The
 * mode of a folder is set only when it is created here, because an existing folder may be shared.
 */
export function protectSqliteFile(path: string) {
  mkdirSync(dirname(path), { recursive: true, mode: OWNER_ONLY_FOLDER })
  closeSync(openSync(path, 'a', OWNER_ONLY))
  for (const file of BESIDE.map((suffix) => path + suffix)) tighten(file)
}

/** Only the owner can change the mode, so other users' files stay as they are. */
function tighten(file: string) {
  if (!existsSync(file)) return
  const { mode, uid } = statSync(file)
  if ((mode & 0o077) !== 0 && uid === process.getuid?.()) chmodSync(file, OWNER_ONLY)
}
