import { type Concierge, createConcierge, unwrap } from '@concierge/client'
import type { Command } from 'commander'
import { notConcierge } from './errors.ts'
import { requireConcierge } from './require_concierge.ts'
import { freshToken } from './settings/fresh_token.ts'
import { type GlobalOptions, type Settings, resolveSettings } from './settings/settings.ts'
import { confirm, confirmByName } from './terminal/confirm.ts'
import { cell, print } from './terminal/print.ts'
import { say } from './terminal/say.ts'

/** The service and the terminal, as a command uses them. */
export class Session {
  readonly options: GlobalOptions
  #settings: Settings | undefined

  constructor(options: GlobalOptions) {
    this.options = options
  }

  /** Read on first use: some commands need no service. */
  get settings(): Settings {
    this.#settings ??= resolveSettings(this.options)
    return this.#settings
  }

  get api(): Concierge['api'] {
    return this.client().api
  }

  client(timeoutMs = this.options.timeout * 1000): Concierge {
    const { url, token, internalKey, checkKey, profile } = this.settings
    const kept = profile?.content.token
      ? () => freshToken(profile.name, profile.content)
      : undefined
    const concierge = createConcierge({
      url,
      timeoutMs,
      ...(this.options.reason !== undefined && { reason: this.options.reason }),
      ...(token ? { token } : kept && { token: kept }),
      ...(internalKey !== undefined && { internalKey }),
      ...(checkKey !== undefined && { checkKey }),
    })
    concierge.api.use(requireConcierge)
    return concierge
  }

  print(content: unknown, columns?: readonly string[], format = this.options.output): void {
    print(content, format, columns)
  }

  text(text: string): void {
    process.stdout.write(`${text}\n`)
  }

  /** A row of an endless table. */
  line(values: unknown[]): string {
    return values.map(cell).join('  ')
  }

  /** Waits for a response without data. */
  async finish(result: Parameters<typeof unwrap<unknown>>[0]): Promise<void> {
    await unwrap(result)
    say('Done')
  }

  /** @throws Failure unless the user agrees */
  confirm(question: string): Promise<void> {
    return confirm(question, this.options.yes)
  }

  /** @throws Failure unless the user types the name of what would be lost */
  confirmByName(question: string, name: string): Promise<void> {
    return confirmByName(question, name, this.options.yes)
  }
}

/** Adapts a function that takes a session to an action of commander. */
export function withSession<Given extends unknown[]>(
  work: (session: Session, ...given: Given) => Promise<void> | void
) {
  return async (...given: unknown[]) => {
    const command = given.pop() as Command
    await work(new Session(command.optsWithGlobals<GlobalOptions>()), ...(given as Given))
  }
}

export async function unwrapData<T>(result: Parameters<typeof unwrap<{ data: T }>>[0]): Promise<T> {
  const body: { data?: T } | null | undefined = await unwrap(result)
  if (body?.data === undefined) throw notConcierge('has no data')
  return body.data
}
