import { randomUUID } from 'node:crypto'
import { constants, copyFileSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { usageFailure } from './errors.ts'

/** @throws Failure */
export function requireNewFile(path: string): void {
  if (existsSync(path)) throw alreadyExists(path)
}

/**
 * Writes a file that only its owner can read, through a draft, so that nobody reads an incomplete
 * one. The draft keeps the permissions of a replaced file from being inherited.
 *
 * @throws Failure
 */
export function writePrivateFile(path: string, text: string, { replace = false } = {}): void {
  const draft = `${path}.${randomUUID()}`
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx' })
    if (replace) renameSync(draft, path)
    else copyFileSync(draft, path, constants.COPYFILE_EXCL)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw alreadyExists(path)
    throw usageFailure(`${path} cannot be written: ${code}`)
  } finally {
    rmSync(draft, { force: true })
  }
}

const alreadyExists = (path: string) =>
  usageFailure(`${path} exists already`, 'Replace it with: --force')
