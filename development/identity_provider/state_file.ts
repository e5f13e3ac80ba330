import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { DEVELOPMENT_ACCOUNTS, DEVELOPMENT_ORGANISATION } from './accounts.ts'
import { type State, emptyState } from './api/state.ts'
import { userOf } from './user_of.ts'

/**
 * The users, organisations and other objects of the development provider. They are stored in a file
 * beside the signing key, so that other processes and later runs see them too.
 */
export class StateFile {
  readonly #file: string

  constructor(keysFile: string) {
    this.#file = `${keysFile.replace(/\.json$/, '')}.state.json`
  }

  /** @throws Error if the file is damaged */
  read(): State {
    const text = this.#readText()
    return text === undefined ? initialState() : this.#parse(text)
  }

  save(state: State): void {
    const entries = Object.entries(state).map(([name, map]) => [name, [...map]])
    const draft = `${this.#file}.${randomUUID()}`
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 })
    writeFileSync(draft, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`, {
      mode: 0o600,
    })
    renameSync(draft, this.#file)
  }

  #readText() {
    try {
      return readFileSync(this.#file, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  }

  #parse(text: string): State {
    try {
      const entries = Object.entries(JSON.parse(text) as Record<string, [string, unknown][]>)
      const maps = entries.map(([name, pairs]) => [name, new Map(pairs)])
      return { ...emptyState(), ...Object.fromEntries(maps) }
    } catch (cause) {
      const advice = 'Delete it to reset the development provider'
      throw new Error(`${this.#file} cannot be read. ${advice}`, { cause })
    }
  }
}

function initialState(): State {
  const { id, name } = DEVELOPMENT_ORGANISATION
  const organisation = { id, name, domains: ['acme.example'], state: 'ACTIVE' as const }
  return {
    ...emptyState(),
    organisations: new Map([[id, organisation]]),
    users: new Map(DEVELOPMENT_ACCOUNTS.map((account) => [account.userId, userOf(account)])),
  }
}
