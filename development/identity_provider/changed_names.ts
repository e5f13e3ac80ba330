import { randomUUID } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'

export interface Names {
  givenName: string
  familyName: string
  displayName: string
}

/**
 * Changed names by user id. They are kept in a file beside the signing key, so that tokens of
 * other processes and later runs have them, too.
 */
export class ChangedNames {
  readonly #file: string

  constructor(keysFile: string) {
    this.#file = `${keysFile.replace(/\.json$/, '')}.names.json`
  }

  of(userId: string): Partial<Names> {
    return this.#read()[userId] ?? {}
  }

  change(userId: string, names: Partial<Names>): void {
    const all = this.#read()
    all[userId] = { ...all[userId], ...names }
    const draft = `${this.#file}.${randomUUID()}`
    writeFileSync(draft, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 })
    renameSync(draft, this.#file)
  }

  #read(): Record<string, Partial<Names>> {
    try {
      return JSON.parse(readFileSync(this.#file, 'utf8'))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
      throw new Error(`${this.#file} cannot be read. Delete it to reset the changed names`, {
        cause: error,
      })
    }
  }
}
